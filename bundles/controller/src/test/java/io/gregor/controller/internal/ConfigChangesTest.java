package io.gregor.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.junit.jupiter.api.Test;

class ConfigChangesTest {
    private static final byte TOPIC = ConfigResource.Type.TOPIC.id();

    private final ConfigChanges<String> changes = new ConfigChanges<>();

    @Test
    void refusesAResourceThatComesTwiceOnceAndForAll() {
        changes.add(TOPIC, "t", "first");
        changes.add(TOPIC, "t", "second");
        changes.add(TOPIC, "t", "third");

        assertThat(changes.accepted()).isEmpty();
        assertThat(outcomes()).containsExactly("t INVALID_REQUEST");
    }

    @Test
    void refusesAnUnknownTypeUnderTheNumberThatTheClientGave() {
        changes.add((byte) 99, "x", "change");

        ConfigChanges.Outcome outcome = changes.outcomes(Map.of()).get(0);
        assertThat(outcome.type()).isEqualTo((byte) 99);
        assertThat(outcome.error().error()).isEqualTo(Errors.UNSUPPORTED_VERSION);
    }

    @Test
    void leavesOutWhatTheCheckRefuses() {
        changes.add(TOPIC, "mine", "change");
        changes.add(TOPIC, "yours", "change");

        changes.check(resource ->
                resource.name().equals("mine") ? ApiError.NONE : new ApiError(Errors.TOPIC_AUTHORIZATION_FAILED));

        assertThat(changes.accepted()).containsOnlyKeys(new ConfigResource(ConfigResource.Type.TOPIC, "mine"));
        assertThat(outcomes()).containsExactly("yours TOPIC_AUTHORIZATION_FAILED");
    }

    private List<String> outcomes() {
        return changes.outcomes(Map.of()).stream()
                .map(outcome -> outcome.name() + " " + outcome.error().error())
                .toList();
    }
}
