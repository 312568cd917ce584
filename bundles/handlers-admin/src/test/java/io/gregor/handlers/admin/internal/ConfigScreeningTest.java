package io.gregor.handlers.admin.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.junit.jupiter.api.Test;

class ConfigScreeningTest {
    private static final byte TOPIC = ConfigResource.Type.TOPIC.id();
    private static final byte BROKER = ConfigResource.Type.BROKER.id();
    private static final byte BROKER_LOGGER = ConfigResource.Type.BROKER_LOGGER.id();

    private boolean mayAlterCluster = true;
    private final ConfigScreening screening = new ConfigScreening(1, () -> mayAlterCluster);

    @Test
    void leavesWhatIsWellFormedAndForThisBroker() {
        AlterConfigsResource[] resources = Stream.of(
                        resource(TOPIC, "a", "key"),
                        resource(ConfigResource.Type.GROUP.id(), "a", "key"),
                        resource(ConfigResource.Type.CLIENT_METRICS.id(), "a", "key"),
                        resource(BROKER, "1", "key"),
                        resource(BROKER, "", "key"),
                        resource(BROKER_LOGGER, "1", "kafka"))
                .toArray(AlterConfigsResource[]::new);

        assertThat(screening.refused(request(resources))).isEmpty();
    }

    @Test
    void refusesAResourceThatStandsThereTwiceAndKeepsTheOthers() {
        AlterConfigsResource first = resource(TOPIC, "a", "x");
        AlterConfigsResource second = resource(TOPIC, "a", "y");
        AlterConfigsResource other = resource(TOPIC, "b", "x");

        Map<AlterConfigsResource, ApiError> refused = screening.refused(request(first, second, other));

        assertThat(refused.get(first).message()).isEqualTo("Each resource must appear at most once.");
        assertThat(refused.get(second).error()).isEqualTo(Errors.INVALID_REQUEST);
        assertThat(refused).hasSize(2);
    }

    @Test
    void refusesAKeyThatStandsThereTwice() {
        ApiError error = refusal(resource(TOPIC, "a", "x", "x"));

        assertThat(error.error()).isEqualTo(Errors.INVALID_REQUEST);
        assertThat(error.message()).isEqualTo("Error due to duplicate config keys");
    }

    @Test
    void namesTheKeysWithoutValueUnlessTheyAreDeleted() {
        AlterConfigsResource resource = resource(TOPIC, "a", "x", "y", "z", "deleted");
        resource.configs().forEach(setting -> {
            setting.setValue(setting.name().equals("y") ? "1" : null);
            if (setting.name().equals("deleted")) {
                setting.setConfigOperation(OpType.DELETE.id());
            }
        });

        assertThat(refusal(resource).message()).isEqualTo("Null value not supported for : x, z");
    }

    @Test
    void asksForPermissionBeforeItSaysMoreAboutABroker() {
        mayAlterCluster = false;

        assertThat(refusal(resource(BROKER, "7", "x")).error()).isEqualTo(Errors.CLUSTER_AUTHORIZATION_FAILED);
        assertThat(refusal(resource(BROKER_LOGGER, "1", "x")).error()).isEqualTo(Errors.CLUSTER_AUTHORIZATION_FAILED);
    }

    @Test
    void refusesOtherBrokersByTheirId() {
        assertThat(refusal(resource(BROKER, "2", "x")).message())
                .isEqualTo("Unexpected broker id, expected 1, but received 2");
        assertThat(refusal(resource(BROKER, "one", "x")).message())
                .isEqualTo("Node id must be an integer, but it is: one");
    }

    @Test
    void knowsNoLogLevelsInTheOldApi() {
        AlterConfigsRequestData.AlterConfigsResource logger = new AlterConfigsRequestData.AlterConfigsResource()
                .setResourceType(BROKER_LOGGER)
                .setResourceName("1");
        AlterConfigsRequestData data = new AlterConfigsRequestData();
        data.resources().mustAdd(logger);

        assertThat(screening
                        .refused(new ReplacedConfigs(data, (short) 2))
                        .get(logger)
                        .message())
                .isEqualTo("Unknown resource type 8");
        assertThat(refusal(resource((byte) 77, "a")).message()).isEqualTo("Unknown resource type 77");
    }

    private ApiError refusal(AlterConfigsResource resource) {
        Map<AlterConfigsResource, ApiError> refused = screening.refused(request(resource));
        assertThat(refused).hasSize(1);
        return refused.get(resource);
    }

    private static IncrementalConfigs request(AlterConfigsResource... resources) {
        IncrementalAlterConfigsRequestData data = new IncrementalAlterConfigsRequestData();
        for (AlterConfigsResource resource : resources) {
            data.resources().add(resource);
        }
        return new IncrementalConfigs(data, (short) 1);
    }

    private static AlterConfigsResource resource(byte type, String name, String... keys) {
        AlterConfigsResource resource =
                new AlterConfigsResource().setResourceType(type).setResourceName(name);
        for (String key : keys) {
            resource.configs()
                    .add(new AlterableConfig().setName(key).setValue("1").setConfigOperation(OpType.SET.id()));
        }
        return resource;
    }
}
