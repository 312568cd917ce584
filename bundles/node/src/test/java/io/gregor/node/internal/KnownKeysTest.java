package io.gregor.node.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.node.GregorConfigs;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KnownKeysTest {
    @TempDir
    Path home;

    @ParameterizedTest
    @CsvSource({
        "num.io.thread, num.io.threads",
        "num.networks.threads, num.network.threads",
        "metrics.reporters, metric.reporters",
        "NUM.IO.THREADS, num.io.threads",
        "lgo.dirs, log.dirs",
        "listener.name.external.max.conections, listener.name.external.max.connections",
        "gregor.handler.swap.timeout, gregor.handler.swap.timeout.ms",
    })
    void stopsAtAMistypedKeyAndSaysWhatWasMeant(String typed, String meant) {
        Settings settings = NodeFile.of(home, typed + "=7").settings();

        if (typed.equals("gregor.handler.swap.timeout")) {
            assertThatThrownBy(() -> KnownKeys.check(settings)).hasMessageContaining(meant);
        } else {
            assertThatThrownBy(() -> KnownKeys.check(settings))
                    .isInstanceOf(StartRefused.class)
                    .hasMessage(typed + "=7 is not a known key: did you mean " + meant + "? (" + settings.file() + ")");
        }
    }

    @Test
    void stopsAtAnUnknownKeyInGregorsNamespace() {
        Settings settings = NodeFile.of(home, "gregor.home=/data").settings();

        assertThatThrownBy(() -> KnownKeys.check(settings))
                .hasMessage("gregor.home=/data is not a known key: Gregor's own keys are "
                        + String.join(", ", GregorConfigs.names()) + " (" + settings.file() + ")");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "my.plugin.key",
                "confluent.license.topic",
                "retention.ms",
                "zookeeper.connect",
                "inter.broker.protocol.version",
                "offsets.commit.required.acks",
                "log.message.format.version",
                "control.plane.listener.name",
                "listener.name.external.ssl.keystore.location",
                "listener.name.sasl_plaintext.plain.sasl.jaas.config",
                "config.providers.file.class",
                "metrics.jmx.include"
            })
    void letsKeysOfOthersPass(String key) {
        assertThatCode(() -> KnownKeys.check(NodeFile.of(home, key + "=x").settings()))
                .doesNotThrowAnyException();
    }

    @Test
    void twoSlipsAreSeenAndThreeAreAnotherWord() {
        assertThat(KeyDistance.between("num.io.threads", "num.oi.thread")).isEqualTo(2);
        assertThat(KeyDistance.nearest("num.in.threat.s", KnownKeys.DEFINITION.names()))
                .isEmpty();
    }
}
