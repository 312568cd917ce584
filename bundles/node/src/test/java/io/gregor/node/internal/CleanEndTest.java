package io.gregor.node.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class CleanEndTest {
    private final Queue<Integer> statuses = new ConcurrentLinkedQueue<>();
    private final CleanEnd end = new CleanEnd(statuses::add);

    @Test
    void theFirstReasonDecidesTheStatus() {
        end.stop("asked for");
        end.refuseStart("too late");
        end.fatal("raft").handleFault("too late as well", new IllegalStateException("test"));

        await().until(() -> !statuses.isEmpty());
        assertThat(statuses).containsExactly(0);
    }

    @Test
    void aFatalFaultEndsTheNodeWithStatusOne() {
        RuntimeException fault = end.fatal("raft").handleFault("broken", new IllegalStateException("test"));

        await().until(() -> !statuses.isEmpty());
        assertThat(statuses).containsExactly(1);
        assertThat(fault).hasMessageContaining("broken").hasRootCauseMessage("test");
    }

    @Test
    void aNonFatalFaultIsCountedAndSurvived() {
        end.nonFatal("loader").handleFault("odd");

        assertThat(end.nonFatalFaultCount()).isOne();
        assertThat(statuses).isEmpty();
    }
}
