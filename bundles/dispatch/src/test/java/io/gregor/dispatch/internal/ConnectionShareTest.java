package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConnectionShareTest {
    private static final List<String> CONNECTIONS = IntStream.range(0, 10_000)
            .mapToObj(i -> "127.0.0.1:9092-127.0.0.1:" + (40_000 + i) + "-" + i % 3 + "-" + i)
            .toList();

    @Test
    void holdsAboutSoManyAndAlwaysTheSame() {
        for (int percent : new int[] {1, 10, 50, 99}) {
            assertThat(held(percent)).isCloseTo(percent * 100L, within(150L));
            assertThat(held(percent)).isEqualTo(held(percent));
        }
        assertThat(held(100)).isEqualTo(10_000);
        assertThat(held(0)).isZero();
    }

    @Test
    void largerShareHoldsThoseOfTheSmallerOne() {
        assertThat(CONNECTIONS)
                .filteredOn(id -> ConnectionShare.holds(id, 10))
                .allMatch(id -> ConnectionShare.holds(id, 11));
    }

    private static long held(int percent) {
        return CONNECTIONS.stream()
                .filter(id -> ConnectionShare.holds(id, percent))
                .count();
    }
}
