package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.transport.internal.RequestMemory.Reservation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestMemoryTest {
    private final RequestMemory memory = new RequestMemory(100);
    private final List<String> granted = new ArrayList<>();

    @Test
    void servesThoseWhoWaitInTheirOrderAndLetsNoSmallOnePass() {
        Reservation first = reserve(80, "first");
        Reservation large = reserve(90, "large");
        Reservation small = reserve(5, "small");
        assertThat(first.isGranted()).isTrue();
        assertThat(small.isGranted()).isFalse();

        memory.release(first);

        assertThat(large.isGranted()).isTrue();
        assertThat(granted).containsExactly("large", "small");
    }

    @Test
    void letsTheNextPassWhenOneLeavesTheLine() {
        Reservation first = reserve(80, "first");
        Reservation large = reserve(90, "large");
        Reservation small = reserve(5, "small");

        memory.release(large);

        assertThat(small.isGranted()).isTrue();
        assertThat(first.isGranted()).isTrue();
    }

    @Test
    void countsAReleaseOnce() {
        Reservation first = reserve(60, "first");
        Reservation second = reserve(40, "second");
        memory.release(first);
        memory.release(first);

        assertThat(reserve(60, "third").isGranted()).isTrue();
        assertThat(reserve(1, "fourth").isGranted()).isFalse();
        assertThat(second.isGranted()).isTrue();
    }

    @Test
    void letsAFrameAboveTheBoundPassAlone() {
        Reservation huge = reserve(500, "huge");
        assertThat(huge.isGranted()).isTrue();
        assertThat(reserve(1, "next").isGranted()).isFalse();
    }

    private Reservation reserve(int bytes, String name) {
        return memory.reserve(bytes, () -> granted.add(name));
    }
}
