package io.gregor.transport.internal;

import java.util.Locale;

/**
 * Whether a connection is read from. Immutable. A connection has one request in hand at most, so its responses leave in
 * the order of its requests.
 *
 * <pre>
 *            mute                   REQUEST_RECEIVED
 *  NOT_MUTED ─────▶ MUTED ───────────────────────────▶ MUTED_AND_RESPONSE_PENDING
 *            ◀───── ▲   ◀───────────────────────────── │  ▲
 *           unmute  │          RESPONSE_SENT           │  │
 *                   │                 THROTTLE_STARTED │  │ THROTTLE_ENDED
 *    THROTTLE_ENDED │                                  ▼  │
 *        MUTED_AND_THROTTLED ◀──────────────── MUTED_AND_THROTTLED_AND_RESPONSE_PENDING
 *                              RESPONSE_SENT
 * </pre>
 *
 * What is not drawn is a bug and throws.
 */
public enum MuteState {
    /** Read from. */
    NOT_MUTED,
    /** Not read from, for no reason but that it was muted: nothing keeps it from being unmuted. */
    MUTED,
    /** A request is in hand. */
    MUTED_AND_RESPONSE_PENDING,
    /** Answered, but a quota holds it back. */
    MUTED_AND_THROTTLED,
    /** A request is in hand and a quota holds the connection back. */
    MUTED_AND_THROTTLED_AND_RESPONSE_PENDING;

    /** What happens to a muted connection. */
    public enum Event {
        /** Its request is queued. */
        REQUEST_RECEIVED,
        /** The response is written, or there is none. */
        RESPONSE_SENT,
        /** A quota is exceeded. */
        THROTTLE_STARTED,
        /** The time of penance is over. */
        THROTTLE_ENDED
    }

    private final String words = name().toLowerCase(Locale.ROOT).replace('_', ' ');

    /** The state as people read it: lower case, with spaces. */
    public String words() {
        return words;
    }

    /** Whether a request waits for its response. */
    public boolean isResponsePending() {
        return this == MUTED_AND_RESPONSE_PENDING || this == MUTED_AND_THROTTLED_AND_RESPONSE_PENDING;
    }

    /** Whether a quota holds it back. */
    public boolean isThrottled() {
        return this == MUTED_AND_THROTTLED || this == MUTED_AND_THROTTLED_AND_RESPONSE_PENDING;
    }

    /** The state after the connection was muted. */
    public MuteState mute() {
        if (this != NOT_MUTED) {
            throw new IllegalStateException("muted twice: muteState=" + this);
        }
        return MUTED;
    }

    /** The state after an attempt to unmute: the same if a response or a throttle time is still to come. */
    public MuteState tryUnmute() {
        return this == MUTED ? NOT_MUTED : this;
    }

    /** The state after an event. */
    public MuteState after(Event event) {
        return switch (event) {
            case REQUEST_RECEIVED -> move(event, MUTED, MUTED_AND_RESPONSE_PENDING);
            case THROTTLE_STARTED -> move(event, MUTED_AND_RESPONSE_PENDING, MUTED_AND_THROTTLED_AND_RESPONSE_PENDING);
            case RESPONSE_SENT ->
                this == MUTED_AND_RESPONSE_PENDING
                        ? MUTED
                        : move(event, MUTED_AND_THROTTLED_AND_RESPONSE_PENDING, MUTED_AND_THROTTLED);
            case THROTTLE_ENDED ->
                this == MUTED_AND_THROTTLED
                        ? MUTED
                        : move(event, MUTED_AND_THROTTLED_AND_RESPONSE_PENDING, MUTED_AND_RESPONSE_PENDING);
        };
    }

    private MuteState move(Event event, MuteState from, MuteState to) {
        if (this != from) {
            throw new IllegalStateException("event does not fit: event=" + event + " muteState=" + this);
        }
        return to;
    }
}
