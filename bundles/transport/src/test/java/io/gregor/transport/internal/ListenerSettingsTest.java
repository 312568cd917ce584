package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.testing.FakeNodeConfig;
import java.util.Map;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.Test;

class ListenerSettingsTest {
    @Test
    void namesTheListenerOfAValueThatIsWrong() {
        Endpoint endpoint = new Endpoint("EXT", SecurityProtocol.SASL_PLAINTEXT, "127.0.0.1", 0);
        assertThatThrownBy(() -> ListenerSettings.of(
                        endpoint,
                        FakeNodeConfig.of(
                                        Map.of("listener.name.ext.plain.sasl.server.callback.handler.class", "no.Such"))
                                .values()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("listener.name.ext.*: Invalid value no.Such");
    }
}
