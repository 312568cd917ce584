package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.node.Role;
import io.gregor.testing.FakeNodeConfig;
import org.junit.jupiter.api.Test;

class ListenerKeyTest {
    @Test
    void keyIsTakenApartAfterTheListener() {
        ListenerKey key = ListenerKey.of("listener.name.my_ext.scram-sha-256.sasl.jaas.config")
                .orElseThrow();

        assertThat(key.listener().value()).isEqualTo("MY_EXT");
        assertThat(key.setting()).isEqualTo("scram-sha-256.sasl.jaas.config");
    }

    @Test
    void otherKeysAreOfNoListener() {
        assertThat(ListenerKey.of("num.network.threads")).isEmpty();
        assertThat(ListenerKey.of("listener.name.ext")).isEmpty();
        assertThat(ListenerKey.of("listener.name.ext.")).isEmpty();
        assertThat(ListenerKey.of("listener.name..x")).isEmpty();
    }

    @Test
    void theControllersListenersAreNamedAndTheBrokerHasTheOthers() {
        FakeNodeConfig config = FakeNodeConfig.of();
        ListenerKey controllers = ListenerKey.of("listener.name.controller.x").orElseThrow();
        ListenerKey unknown = ListenerKey.of("listener.name.new.x").orElseThrow();

        assertThat(controllers.isOf(Role.CONTROLLER, config)).isTrue();
        assertThat(controllers.isOf(Role.BROKER, config)).isFalse();
        assertThat(unknown.isOf(Role.CONTROLLER, config)).isFalse();
        assertThat(unknown.isOf(Role.BROKER, config)).isTrue();
    }
}
