package io.gregor.itest.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.GregorProcess.Finished;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartStopIT {
    @TempDir
    Path home;

    @Test
    void startsOnAnEmptyHomeAndStopsCleanlyBySigterm() {
        try (GregorProcess node = GregorProcess.start(home)) {
            int status = node.stop();

            assertThat(status).isEqualTo(143);
            assertThat(home.resolve("data/.kafka_cleanshutdown")).exists();
            assertThat(node.logText()).doesNotContain(" ERROR ");
        }
    }

    @Test
    void secondStartAfterACleanStopNeedsNoRecovery() {
        try (GregorProcess node = GregorProcess.start(home)) {
            node.stop();

            node.restart();

            assertThat(node.logText()).doesNotContain("Recovering unflushed segment");
            assertThat(node.stop()).isEqualTo(143);
        }
    }

    @Test
    void startsAgainAfterItWasKilled() {
        try (GregorProcess node = GregorProcess.start(home)) {
            node.kill();

            node.restart();

            assertThat(node.isAlive()).isTrue();
        }
    }

    @Test
    void secondStartOnTheSameHomeIsRefusedAndTheFirstGoesOn() {
        try (GregorProcess node = GregorProcess.start(home)) {
            Finished second = GregorProcess.gregor(home, "start", "--home", home.toString());

            assertThat(second.status()).isEqualTo(1);
            assertThat(second.output().lines())
                    .singleElement()
                    .asString()
                    .contains("home=" + home, "pid=" + node.pid(), "--home");
            node.awaitReady();
        }
    }

    @Test
    void wrongValueOfAKeyEndsTheStartWithOneMessage() {
        try (GregorProcess node = GregorProcess.launch(home, "num.network.threads=many")) {
            int status = node.awaitExit();

            assertThat(status).isEqualTo(1);
            assertThat(node.consoleText())
                    .contains("num.network.threads", "many")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void portInUseEndsTheStartWithOneMessage(@TempDir Path other) {
        try (GregorProcess first = GregorProcess.start(other);
                GregorProcess second =
                        GregorProcess.launch("server.properties", home, first.port(), GregorProcess.freePort())) {
            int status = second.awaitExit();

            assertThat(status).isEqualTo(1);
            assertThat(second.consoleText())
                    .contains("listeners", String.valueOf(first.port()))
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void missingConfigurationFileIsNamed() {
        Finished start = GregorProcess.gregor(home, "start", "no-such.properties", "--home", home.toString());

        assertThat(start.status()).isEqualTo(1);
        assertThat(start.output().lines()).singleElement().asString().contains("no-such.properties");
    }
}
