package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.transport.internal.RequestMemory.Reservation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestMemoryTest {
    private static final int BEGIN = RequestMemory.BEGIN_BYTES;

    private final ManualTime time = new ManualTime();
    private final RequestMemory memory = memory(100);
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

    @Test
    void reservesNoMoreThanTheBeginForASizeThatIsOnlyAnnounced() {
        RequestMemory large = memory(100 * BEGIN);
        for (int announced = 0; announced < 30; announced++) {
            assertThat(large.reserve(90 * BEGIN, () -> {}).isGranted()).isTrue();
        }
        assertThat(large.reservedBytes()).isEqualTo(30 * BEGIN);
    }

    @Test
    void letsOneFrameGoOnWhenAllWaitForTheirRest() {
        RequestMemory small = memory(4 * BEGIN);
        List<Reservation> begun = new ArrayList<>();
        for (int frame = 0; frame < 4; frame++) {
            begun.add(small.reserve(3 * BEGIN, () -> {}));
        }
        begun.forEach(small::reserveRest);
        assertThat(begun).filteredOn(Reservation::isWhole).hasSize(1);

        for (int frame = 0; frame < 4; frame++) {
            Reservation done =
                    begun.stream().filter(Reservation::isWhole).findFirst().orElseThrow();
            begun.remove(done);
            small.release(done);
        }
        assertThat(begun).isEmpty();
        assertThat(small.reservedBytes()).isZero();
    }

    @Test
    void letsThoseInWhoWaitWhenTheBoundIsRaisedOrTakenAway() {
        reserve(90, "first");
        Reservation second = reserve(50, "second");
        Reservation third = reserve(5000, "third");

        memory.limit(150);
        assertThat(second.isGranted()).isTrue();
        assertThat(third.isGranted()).isFalse();

        memory.limit(-1);
        assertThat(third.isGranted()).isTrue();
        assertThat(granted).containsExactly("second", "third");
        assertThat(memory.isBounded()).isFalse();
    }

    @Test
    void keepsToALoweredBoundOnceMemoryIsGivenBack() {
        Reservation first = reserve(60, "first");
        memory.limit(50);
        assertThat(reserve(10, "second").isGranted()).isFalse();

        memory.release(first);
        assertThat(granted).containsExactly("second");
        assertThat(memory.availableBytes()).isEqualTo(40);
    }

    @Test
    void measuresForHowLongFramesWaited() {
        Reservation first = reserve(100, "first");
        time.advanceMs(1_000);
        reserve(10, "second");
        time.advanceMs(3_000);
        memory.release(first);
        time.advanceMs(1_000);

        assertThat(memory.depleted().totalNs(time.nanoseconds())).isEqualTo(3_000_000_000L);
    }

    private Reservation reserve(int bytes, String name) {
        return memory.reserve(bytes, () -> granted.add(name));
    }

    private RequestMemory memory(long limitBytes) {
        return new RequestMemory(limitBytes, time, new SampleWindows(time.nanoseconds(), 30_000_000_000L, 2));
    }
}
