package io.gregor.plugins.internal;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StockBundlesTest {
    @Test
    void handlersCanBeReplaced() {
        assertThatCode(() -> StockBundles.checkReplaceable("io.gregor.handlers-data"))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.gregor.engine", "io.gregor.storage", "io.gregor.plugins", "org.apache.felix.scr"})
    void whatHoldsStateOrTheRestUpCannot(String name) {
        assertThatThrownBy(() -> StockBundles.checkReplaceable(name))
                .isInstanceOf(RefusedJar.class)
                .hasMessageContaining(name);
    }
}
