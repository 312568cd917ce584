package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InUseTest {
    private final List<String> told = new ArrayList<>();
    private final InUse<String> part = new InUse<>("part", () -> told.add("closed"), Runnable::run);

    @Test
    void isRetiredOnceByItsListenerAndClosedByItsLastConnection() {
        assertThat(part.tryUse()).isTrue();
        part.giveUp(retired -> told.add("retired " + retired));
        part.giveUp(retired -> told.add("again"));
        assertThat(told).containsExactly("retired part");
        assertThat(part.tryUse()).as("a connection that authenticates again").isTrue();

        part.release();
        part.release();

        assertThat(told).containsExactly("retired part", "closed");
        assertThat(part.tryUse()).isFalse();
    }

    @Test
    void isClosedAllTheSameIfItDoesNotRetire() {
        part.giveUp(retired -> {
            throw new IllegalStateException("planted");
        });

        assertThat(told).containsExactly("closed");
    }
}
