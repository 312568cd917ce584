package io.gregor.node.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.node.Role;
import io.gregor.internal.transport.BoundListeners;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadyTextTest {
    private static final NodeIdentity IDENTITY = new NodeIdentity(1, "abc", Uuid.ONE_UUID, Map.of());

    @TempDir
    Path home;

    @Test
    void namesTheAddressesThatClientsCanUse() {
        String text = text(NodeFile.combined(home).read(), Path.of("/opt/gregor"))
                .of(Map.of(
                        Role.BROKER,
                        bound(
                                new Endpoint("SSL", SecurityProtocol.SSL, "h", 1),
                                new Endpoint("PLAINTEXT", SecurityProtocol.PLAINTEXT, "::1", 22001)),
                        Role.CONTROLLER,
                        bound(new Endpoint("CONTROLLER", SecurityProtocol.PLAINTEXT, "h", 22002))));

        assertThat(text)
                .contains("node 1, broker and controller of cluster abc")
                .contains("SSL://h:1, PLAINTEXT://[::1]:22001", "CONTROLLER://h:22002")
                .contains("--bootstrap-server [::1]:22001 --topic hello")
                .contains("/opt/gregor/bin/gregor shell --home " + home);
    }

    @Test
    void theDistributionsOwnHomeIsNotNamed() {
        String text = text(NodeFile.combined(home).read(), home)
                .of(Map.of(Role.CONTROLLER, bound(new Endpoint("CONTROLLER", SecurityProtocol.PLAINTEXT, "h", 22002))));

        assertThat(text)
                .contains(home.resolve("bin/gregor") + " shell" + System.lineSeparator())
                .contains("kafka-metadata-quorum.sh --bootstrap-controller h:22002 describe --status")
                .doesNotContain("--home", "kcat");
    }

    private static ReadyText text(NodeConfig config, Path distribution) {
        return new ReadyText(config, IDENTITY, distribution);
    }

    private static BoundListeners bound(Endpoint... endpoints) {
        return new BoundListeners() {
            @Override
            public List<Endpoint> bound() {
                return advertised();
            }

            @Override
            public List<Endpoint> advertised() {
                return List.of(endpoints);
            }
        };
    }
}
