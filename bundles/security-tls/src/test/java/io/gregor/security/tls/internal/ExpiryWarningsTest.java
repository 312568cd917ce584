package io.gregor.security.tls.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpiryWarningsTest {
    private static final long HOUR_MS = 3_600_000;
    private static final long DAY_MS = 24 * HOUR_MS;

    @ParameterizedTest
    @CsvSource({"31, -1", "30, 30", "15, 30", "14, 14", "7, 7", "4, 7", "3, 3", "1, 1", "0, 0", "-5, 0"})
    void findsTheStep(long leftDays, int stepDays) {
        assertThat(ExpiryWarnings.stepDays(leftDays * DAY_MS)).isEqualTo(stepDays);
    }

    @Test
    void warnsOnceAStepAndOnceADayWhenItIsTooLate(@TempDir Path folder) throws IOException {
        Path file = Pem.file(folder.resolve("store.pem"), "first");
        TlsLayer layer =
                new TlsLayer(Pem.listener(file), false, new StoreReading(Pem.listener(file)).read(0), gone -> {});
        long endMs = layer.stores().firstToExpire(StoreKind.KEY).orElseThrow().notAfterMs();
        ExpiryWarnings warnings = new ExpiryWarnings();
        int said = 0;
        for (long nowMs = endMs - 40 * DAY_MS; nowMs < endMs; nowMs += HOUR_MS) {
            said += warnings.look(List.of(layer), nowMs);
        }
        assertThat(said).isEqualTo(5);

        int saidAfter = 0;
        for (long nowMs = endMs; nowMs < endMs + 3 * DAY_MS; nowMs += HOUR_MS) {
            saidAfter += warnings.look(List.of(layer), nowMs);
        }
        assertThat(saidAfter).isEqualTo(3);
    }
}
