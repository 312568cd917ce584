package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrialShareTest {
    private static final List<String> CONNECTIONS = IntStream.range(0, 10_000)
            .mapToObj(i -> "127.0.0.1:9092-127.0.0.1:" + (40_000 + i % 25_000) + "-" + i % 3 + "-" + i)
            .toList();

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 50, 99, 100})
    void hasItsShareOfConnections(int percent) {
        long inside =
                CONNECTIONS.stream().filter(id -> TrialShare.has(id, percent)).count();

        assertThat(inside / 100.0).isCloseTo(percent, within(1.5));
    }

    @Test
    void largerShareHasTheConnectionsOfASmallerOne() {
        assertThat(CONNECTIONS)
                .filteredOn(id -> TrialShare.has(id, 20))
                .isNotEmpty()
                .allMatch(id -> TrialShare.has(id, 21));
    }
}
