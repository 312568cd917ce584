package io.gregor.handlers.admin.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.handlers.admin.internal.ConfigScreening.Change;
import java.util.List;
import java.util.function.Function;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.junit.jupiter.api.Test;

class ConfigScreeningTest {
    private boolean mayAlterCluster = true;
    private final ConfigScreening incremental = new ConfigScreening(1, true, () -> mayAlterCluster);
    private final ConfigScreening legacy = new ConfigScreening(1, false, () -> mayAlterCluster);

    @Test
    void leavesTopicsGroupsAndClientMetricsToTheController() {
        for (ConfigResource.Type type :
                List.of(ConfigResource.Type.TOPIC, ConfigResource.Type.GROUP, ConfigResource.Type.CLIENT_METRICS)) {
            Change change = change(type, "a", "key");

            assertThat(incremental.screen(List.of(change), Function.identity()).isOpen(change))
                    .isTrue();
        }
    }

    @Test
    void refusesAResourceThatStandsThereTwiceAndKeepsTheOthers() {
        Change first = change(ConfigResource.Type.TOPIC, "a", "x");
        Change second = change(ConfigResource.Type.TOPIC, "a", "y");
        Change other = change(ConfigResource.Type.TOPIC, "b", "x");

        ConfigOutcome<Change> outcome = incremental.screen(List.of(first, second, other), Function.identity());

        assertThat(outcome.isOpen(first)).isFalse();
        assertThat(outcome.isOpen(second)).isFalse();
        assertThat(outcome.isOpen(other)).isTrue();
    }

    @Test
    void refusesAKeyThatStandsThereTwice() {
        ApiError error = refusal(incremental, change(ConfigResource.Type.TOPIC, "a", "x", "x"));

        assertThat(error.error()).isEqualTo(Errors.INVALID_REQUEST);
        assertThat(error.message()).isEqualTo("Error due to duplicate config keys");
    }

    @Test
    void namesTheKeysWithoutValue() {
        ApiError error = refusal(
                incremental,
                new Change(ConfigResource.Type.TOPIC.id(), "a", List.of("x", "y", "z"), List.of("x", "z")));

        assertThat(error.message()).isEqualTo("Null value not supported for : x, z");
    }

    @Test
    void saysThatBrokersCannotBeChangedYet() {
        ApiError error = refusal(incremental, change(ConfigResource.Type.BROKER, "1", "num.io.threads"));

        assertThat(error.error()).isEqualTo(Errors.INVALID_REQUEST);
        assertThat(error.message()).contains("not available yet", "broker=1", "num.io.threads");
        assertThat(refusal(legacy, change(ConfigResource.Type.BROKER, "", "x")).message())
                .contains("broker=<default>");
    }

    @Test
    void asksForPermissionBeforeItSaysMoreAboutABroker() {
        mayAlterCluster = false;

        assertThat(refusal(incremental, change(ConfigResource.Type.BROKER, "7", "x"))
                        .error())
                .isEqualTo(Errors.CLUSTER_AUTHORIZATION_FAILED);
        assertThat(refusal(incremental, change(ConfigResource.Type.BROKER_LOGGER, "1", "x"))
                        .error())
                .isEqualTo(Errors.CLUSTER_AUTHORIZATION_FAILED);
    }

    @Test
    void refusesOtherBrokersByTheirId() {
        assertThat(refusal(incremental, change(ConfigResource.Type.BROKER, "2", "x"))
                        .message())
                .isEqualTo("Unexpected broker id, expected 1, but received 2");
        assertThat(refusal(incremental, change(ConfigResource.Type.BROKER, "one", "x"))
                        .message())
                .isEqualTo("Node id must be an integer, but it is: one");
    }

    @Test
    void knowsNoLogLevelsInTheOldApi() {
        assertThat(refusal(legacy, change(ConfigResource.Type.BROKER_LOGGER, "1", "kafka"))
                        .message())
                .isEqualTo("Unknown resource type 8");
        assertThat(refusal(incremental, new Change((byte) 77, "a", List.of(), List.of()))
                        .message())
                .isEqualTo("Unknown resource type 77");
    }

    @Test
    void reportsAResourceThatTheControllerLeftOut() {
        Change change = change(ConfigResource.Type.TOPIC, "a", "x");
        ConfigOutcome<Change> outcome = incremental.screen(List.of(change), Function.identity());

        assertThat(outcome.of(change, new ConfigKey(change.type(), "a")).error())
                .isEqualTo(Errors.UNKNOWN_SERVER_ERROR);
    }

    private static Change change(ConfigResource.Type type, String name, String... keys) {
        return new Change(type.id(), name, List.of(keys), List.of());
    }

    private static ApiError refusal(ConfigScreening screening, Change change) {
        ConfigOutcome<Change> outcome = screening.screen(List.of(change), Function.identity());
        assertThat(outcome.isOpen(change)).isFalse();
        return outcome.of(change, new ConfigKey(change.type(), change.name()));
    }
}
