package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.FakeReference;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilterPropertiesTest {
    private final Map<String, Object> properties = new HashMap<>(Map.of("api.key", 0));

    @Test
    void whatIsNotSaidHasTheDefaultsOfTheAnnotation() {
        FilterTerms terms = read();

        assertThat(terms.wrong()).isEmpty();
        assertThat(terms.keys()).containsExactly((short) 0);
        assertThat(terms.listeners()).isEmpty();
        assertThat(terms.principals()).isEmpty();
        assertThat(terms.isClosed()).isFalse();
        assertThat(terms.budget())
                .isEqualTo(new FilterTerms.Budget(
                        Duration.ofMillis(100), Duration.ofSeconds(5), 16L * 1024 * 1024, 5, Duration.ofMinutes(1)));
    }

    @Test
    void valuesComeInManyForms() {
        properties.put("api.key", List.of(new int[] {0, 1}, "10000", (short) 1));
        properties.put("filter.time.ms", "250");
        properties.put("filter.faults", 7L);
        properties.put("principal", new String[] {"User:alice", "Group:a:b"});
        properties.put("role", List.of("broker", "controller"));

        FilterTerms terms = read();

        assertThat(terms.wrong()).isEmpty();
        assertThat(terms.keys()).containsExactly((short) 0, (short) 1, (short) 10_000);
        assertThat(terms.budget().time()).isEqualTo(Duration.ofMillis(250));
        assertThat(terms.budget().faults()).isEqualTo(7);
        assertThat(terms.principals())
                .containsExactly(new KafkaPrincipal("User", "alice"), new KafkaPrincipal("Group", "a:b"));
    }

    @ParameterizedTest
    @CsvSource({
        "api.key, produce, one of Kafka's or 10000 to 32767",
        "api.key, 9999, one of Kafka's or 10000 to 32767",
        "api.key, 40000, one of Kafka's or 10000 to 32767",
        "role, observer, broker or controller",
        "principal, alice, 'a type and a name, as User:alice'",
        "filter.fails, maybe, open or closed (and counts as closed)",
        "filter.time.ms, 0, a whole number from 1 to 2147483647",
        "filter.limit.ms, 99, at least filter.time.ms=100",
        "filter.allocated.bytes, 1.5, a whole number from 1 up",
        "filter.faults, 10001, a whole number from 1 to 10000",
        "filter.window.ms, -1, a whole number from 1 to 2147483647",
    })
    void wrongValueIsNamedWithWhatIsRight(String name, String value, String right) {
        properties.put(name, value);

        assertThat(read().wrong()).isEqualTo(name + "=" + value + " must be " + right);
    }

    @Test
    void withoutAKeyThereIsNothingToSee() {
        properties.remove("api.key");

        assertThat(read().wrong()).startsWith("api.key= must be at least one API key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"closed", "maybe"})
    void whatIsNotOpenIsClosed(String fails) {
        properties.put("filter.fails", fails);

        assertThat(read().isClosed()).isTrue();
    }

    @Test
    void faultsAreCountedWithinTheirWindow() {
        FaultWindow window = new FaultWindow(3, 100);
        assertThat(window.add(0)).isFalse();
        assertThat(window.add(50)).isFalse();
        assertThat(window.count(100)).isEqualTo(2);
        assertThat(window.add(101)).isFalse();
        assertThat(window.add(149)).isTrue();
        window.clear();
        assertThat(window.count(149)).isZero();
    }

    private FilterTerms read() {
        return FilterProperties.read(new FakeReference<>(1, 0, properties, null));
    }
}
