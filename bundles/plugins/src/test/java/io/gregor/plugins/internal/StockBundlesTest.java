package io.gregor.plugins.internal;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StockBundlesTest {
    @ParameterizedTest
    @ValueSource(strings = {"io.gregor.handlers-data", "io.gregor.security-tls", "io.gregor.security-sasl"})
    void handlersAndSecurityProtocolsCanBeReplaced(String name) {
        assertThatCode(() -> StockBundles.checkReplaceable(name)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.gregor.engine", "io.gregor.storage", "io.gregor.plugins", "org.apache.felix.scr"})
    void whatHoldsStateOrTheRestUpCannot(String name) {
        assertThatThrownBy(() -> StockBundles.checkReplaceable(name))
                .isInstanceOf(RefusedJar.class)
                .hasMessageContaining(name);
    }
}
