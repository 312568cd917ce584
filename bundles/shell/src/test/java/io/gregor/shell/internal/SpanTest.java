package io.gregor.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpanTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0ms",
        "999, 999ms",
        "1000, 1s",
        "59999, 59s",
        "60000, 1m00s",
        "185000, 3m05s",
        "3600000, 1h00m",
        "7440000, 2h04m",
        "86400000, 1d00h",
        "262800000, 3d01h"
    })
    void spellsTheTwoUnitsThatMatter(long ms, String text) {
        assertThat(Span.text(ms)).isEqualTo(text);
    }
}
