package io.gregor.node.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.internal.node.SecretValues;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Map;
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
    void whoWaitsForOthersLearnsOfTheFirstFatalFault() {
        Queue<String> told = new ConcurrentLinkedQueue<>();
        end.broken().thenRun(() -> told.add("broken"));
        end.nonFatal("loader").handleFault("odd");
        end.stop("asked for");
        assertThat(told).isEmpty();

        end.fatal("raft").handleFault("broken");
        end.fatal("raft").handleFault("broken again");

        assertThat(told).containsExactly("broken");
    }

    @Test
    void whatIsSaidOfARefusedStartHasNoSecrets() {
        PrintStream console = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, UTF_8));
        try {
            end.hide(SecretValues.of(Map.of("ssl.key.password", "marker-1234"), key -> false));
            end.refuseStart("SSL://:9094 cannot be set up: marker-1234 opens nothing");
        } finally {
            System.setErr(console);
        }

        assertThat(said.toString(UTF_8)).contains("gregor: SSL://:9094 cannot be set up: [hidden] opens nothing");
    }

    @Test
    void aNonFatalFaultIsCountedAndSurvived() {
        end.nonFatal("loader").handleFault("odd");

        assertThat(end.nonFatalFaultCount()).isOne();
        assertThat(statuses).isEmpty();
    }
}
