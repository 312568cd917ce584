package io.gregor.example.masking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MaskingRulesTest {
    @Test
    void masksNothingWithoutSettings() {
        assertThat(MaskingRules.of(Map.of()).fields().isEmpty()).isTrue();
    }

    @Test
    void coversAllTopicsUnlessToldOtherwise() {
        assertThat(MaskingRules.of(Map.of(MaskingRules.FIELDS, "email")).covers("any.topic"))
                .isTrue();
    }

    @Test
    void coversTopicsWhoseWholeNameMatches() {
        MaskingRules rules = MaskingRules.of(Map.of(MaskingRules.TOPICS, "orders(-.*)?"));

        assertThat(rules.covers("orders")).isTrue();
        assertThat(rules.covers("orders-eu")).isTrue();
        assertThat(rules.covers("old-orders")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,,b", ".", "a..b", "a.,b", ","})
    void refusesPathsWithHoles(String paths) {
        assertThatThrownBy(() -> MaskingRules.of(Map.of(MaskingRules.FIELDS, paths)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("example.masking.fields=" + paths + " must be ");
    }

    @Test
    void refusesABadExpression() {
        assertThatThrownBy(() -> MaskingRules.of(Map.of(MaskingRules.TOPICS, "orders(")))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("example.masking.topics=orders( must be a regular expression");
    }

    @Test
    void refusesKeysThatItDoesNotKnow() {
        assertThatThrownBy(() -> MaskingRules.of(Map.of("example.masking.field", "email")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("example.masking.field");
    }

    @Test
    void showsWhatItMasks() {
        assertThat(MaskingRules.of(Map.of(MaskingRules.FIELDS, "email,card.number"))
                        .fields())
                .hasToString("{card={number=*}, email=*}");
    }
}
