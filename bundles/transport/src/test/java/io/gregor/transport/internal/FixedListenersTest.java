package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import io.gregor.testing.FakeNodeConfig;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

class FixedListenersTest {
    private static final String BEFORE = "PLAINTEXT://h:9092,EXT://h:9094,CONTROLLER://h:9093,SECOND://h:9095";

    @Test
    void listenersOfClientsMayChange() {
        NodeConfig after = config("PLAINTEXT://h:9092,OTHER://:9096,CONTROLLER://h:9093,SECOND://h:9095");

        assertThatCode(() -> FixedListeners.check(Role.BROKER, config(BEFORE), after))
                .doesNotThrowAnyException();
    }

    @Test
    void theInterBrokerListenerCannotBeMoved() {
        refuses(Role.BROKER, config("PLAINTEXT://h:9097,CONTROLLER://h:9093,SECOND://h:9095"), "inter-broker listener");
    }

    @Test
    void theInterBrokerListenerCannotBeAdvertisedElsewhere() {
        NodeConfig after = config(BEFORE, "advertised.listeners", "PLAINTEXT://elsewhere:9092");

        refuses(Role.BROKER, after, "advertised.listeners");
    }

    @Test
    void theInterBrokerListenerKeepsItsProtocol() {
        NodeConfig after = config(
                BEFORE,
                "listener.security.protocol.map",
                "PLAINTEXT:SSL,EXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECOND:PLAINTEXT",
                "inter.broker.listener.name",
                "PLAINTEXT");

        refuses(Role.BROKER, after, "protocol");
    }

    @Test
    void aControllerListenerWhosePortTheVotersKnowCannotBeMoved() {
        refuses(
                Role.CONTROLLER,
                config("PLAINTEXT://h:9092,CONTROLLER://h:9098,SECOND://h:9095"),
                "controller.quorum.voters");
    }

    @Test
    void anotherControllerListenerMayChange() {
        NodeConfig after = config("PLAINTEXT://h:9092,CONTROLLER://h:9093,SECOND://h:9099");

        assertThatCode(() -> FixedListeners.check(Role.CONTROLLER, config(BEFORE), after))
                .doesNotThrowAnyException();
    }

    @Test
    void theFirstControllerListenerStaysWhenVotersAreFoundInTheLog() {
        NodeConfig before = config(BEFORE, "controller.quorum.voters", "");
        NodeConfig after =
                config("PLAINTEXT://h:9092,CONTROLLER://h:9098,SECOND://h:9095", "controller.quorum.voters", "");

        assertThatThrownBy(() -> FixedListeners.check(Role.CONTROLLER, before, after))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("first of controller.listener.names");
    }

    private static void refuses(Role role, NodeConfig after, String reason) {
        assertThatThrownBy(() -> FixedListeners.check(role, config(BEFORE), after))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(reason);
    }

    private static NodeConfig config(String listeners, String... more) {
        Map<String, String> lines = new HashMap<>();
        lines.put("listeners", listeners);
        lines.put("controller.listener.names", "CONTROLLER,SECOND");
        lines.put("controller.quorum.voters", "1@h:9093");
        lines.put(
                "listener.security.protocol.map",
                "PLAINTEXT:PLAINTEXT,EXT:PLAINTEXT,OTHER:PLAINTEXT,CONTROLLER:PLAINTEXT,SECOND:PLAINTEXT");
        for (int next = 0; next < more.length; next += 2) {
            lines.put(more[next], more[next + 1]);
        }
        return FakeNodeConfig.of(lines);
    }
}
