package io.gregor.transport.internal;

import static io.gregor.transport.internal.MuteState.Event.REQUEST_RECEIVED;
import static io.gregor.transport.internal.MuteState.Event.RESPONSE_SENT;
import static io.gregor.transport.internal.MuteState.Event.THROTTLE_ENDED;
import static io.gregor.transport.internal.MuteState.Event.THROTTLE_STARTED;
import static io.gregor.transport.internal.MuteState.MUTED;
import static io.gregor.transport.internal.MuteState.MUTED_AND_RESPONSE_PENDING;
import static io.gregor.transport.internal.MuteState.MUTED_AND_THROTTLED;
import static io.gregor.transport.internal.MuteState.MUTED_AND_THROTTLED_AND_RESPONSE_PENDING;
import static io.gregor.transport.internal.MuteState.NOT_MUTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.transport.internal.MuteState.Event;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MuteStateTest {
    private static final Map<MuteState, Map<Event, MuteState>> ARROWS = Map.of(
            NOT_MUTED, Map.of(),
            MUTED, Map.of(REQUEST_RECEIVED, MUTED_AND_RESPONSE_PENDING),
            MUTED_AND_RESPONSE_PENDING,
                    Map.of(
                            RESPONSE_SENT, MUTED,
                            THROTTLE_STARTED, MUTED_AND_THROTTLED_AND_RESPONSE_PENDING),
            MUTED_AND_THROTTLED, Map.of(THROTTLE_ENDED, MUTED),
            MUTED_AND_THROTTLED_AND_RESPONSE_PENDING,
                    Map.of(
                            RESPONSE_SENT, MUTED_AND_THROTTLED,
                            THROTTLE_ENDED, MUTED_AND_RESPONSE_PENDING));

    @Test
    void followsTheArrowsAndNoOthers() {
        for (MuteState state : MuteState.values()) {
            for (Event event : Event.values()) {
                MuteState expected = ARROWS.get(state).get(event);
                if (expected == null) {
                    assertThatThrownBy(() -> state.after(event))
                            .as("%s in %s", event, state)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining(event.name())
                            .hasMessageContaining(state.name());
                } else {
                    assertThat(state.after(event)).as("%s in %s", event, state).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void isUnmutedFromPlainMutedOnly() {
        for (MuteState state : MuteState.values()) {
            MuteState after = state.tryUnmute();
            assertThat(after).isEqualTo(state == MUTED ? NOT_MUTED : state);
        }
    }

    @Test
    void isMutedOnlyOnce() {
        assertThat(NOT_MUTED.mute()).isEqualTo(MUTED);
        assertThatThrownBy(MUTED::mute).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void isReadAsWords() {
        assertThat(MUTED_AND_THROTTLED_AND_RESPONSE_PENDING.words())
                .isEqualTo("muted and throttled and response pending");
    }
}
