package io.gregor.handlers.admin.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.gregor.internal.change.LiveConfig.Scope;
import io.gregor.internal.node.NodeConfig;
import io.gregor.testing.FakeLiveConfig;
import io.gregor.testing.FakeLogLevels;
import io.gregor.testing.FakeNodeConfig;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.metadata.SupportedConfigChecker;
import org.apache.kafka.server.common.KRaftVersion;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConfigDescriptionTest {
    private final KRaftMetadataCache metadata = new KRaftMetadataCache(1, () -> KRaftVersion.KRAFT_VERSION_1);
    private final NodeConfig start = FakeNodeConfig.of(Map.of(
            "num.io.threads", "4",
            "log.retention.hours", "24",
            "ssl.keystore.password", "open sesame",
            "my.plugin.password", "swordfish"));
    private final FakeLiveConfig live = new FakeLiveConfig(start);
    private final ConfigDescription description = new ConfigDescription(
            new DescribedNode(start, live, new FakeLogLevels(), "listeners"::equals), () -> metadata);

    @BeforeEach
    void fillMetadata() {
        MetadataDelta delta = new MetadataDelta.Builder()
                .setImage(MetadataImage.EMPTY)
                .setSupportedConfigChecker(SupportedConfigChecker.TRUE)
                .build();
        delta.replay(new TopicRecord().setName("orders").setTopicId(Uuid.randomUuid()));
        delta.replay(config(ConfigResource.Type.TOPIC, "orders", "max.message.bytes", "2000000"));
        delta.replay(config(ConfigResource.Type.GROUP, "g", "consumer.session.timeout.ms", "50000"));
        delta.replay(config(ConfigResource.Type.CLIENT_METRICS, "cm", "interval.ms", "30000"));
        metadata.setImage(delta.apply(MetadataProvenance.EMPTY));
    }

    @Test
    void describesAnOverriddenTopicSettingWithWhatItStandsBefore() {
        DescribeConfigsResourceResult line = line(describe(ConfigResource.Type.TOPIC, "orders"), "max.message.bytes");

        assertThat(line.value()).isEqualTo("2000000");
        assertThat(line.configSource()).isEqualTo(ConfigSource.TOPIC_CONFIG.id());
        assertThat(line.configType()).isEqualTo(ConfigType.INT.id());
        assertThat(line.documentation()).isNotBlank();
        assertThat(line.isSensitive()).isFalse();
        assertThat(synonyms(line)).containsExactly("max.message.bytes=2000000", "message.max.bytes=1048588");
    }

    @Test
    void namesTheBrokerSettingThatATopicInherits() {
        DescribeConfigsResourceResult line = line(describe(ConfigResource.Type.TOPIC, "orders"), "segment.bytes");

        assertThat(line.configSource()).isEqualTo(ConfigSource.DEFAULT_CONFIG.id());
        assertThat(synonyms(line)).containsExactly("log.segment.bytes=1073741824");
    }

    @Test
    void tellsStaticBrokerValuesFromDefaults() {
        DescribeConfigsResult broker = describe(ConfigResource.Type.BROKER, "1");

        assertThat(line(broker, "num.io.threads").configSource()).isEqualTo(ConfigSource.STATIC_BROKER_CONFIG.id());
        assertThat(synonyms(line(broker, "num.io.threads"))).containsExactly("num.io.threads=4", "num.io.threads=8");
        assertThat(line(broker, "queued.max.requests").configSource()).isEqualTo(ConfigSource.DEFAULT_CONFIG.id());
        assertThat(line(broker, "queued.max.requests").value()).isEqualTo("500");
    }

    @Test
    void putsWhatIsStoredForTheBrokerBeforeWhatIsStoredForAll() {
        live.stored(Scope.NODE, "num.io.threads", "6");
        live.stored(Scope.CLUSTER, "num.io.threads", "5");
        live.stored(Scope.NODE, "listener.name.external.max.connections", "7");
        live.current(FakeNodeConfig.of(Map.of("num.io.threads", "6", "listener.name.external.max.connections", "7")));

        DescribeConfigsResult broker = describe(ConfigResource.Type.BROKER, "1");

        DescribeConfigsResourceResult threads = line(broker, "num.io.threads");
        assertThat(threads.value()).isEqualTo("6");
        assertThat(threads.synonyms())
                .extracting(DescribeConfigsSynonym::value, synonym -> ConfigSource.forId(synonym.source()))
                .containsExactly(
                        tuple("6", ConfigSource.DYNAMIC_BROKER_CONFIG),
                        tuple("5", ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG),
                        tuple("4", ConfigSource.STATIC_BROKER_CONFIG),
                        tuple("8", ConfigSource.DEFAULT_CONFIG));
        DescribeConfigsResourceResult ofListener = line(broker, "listener.name.external.max.connections");
        assertThat(ofListener.value()).isEqualTo("7");
        assertThat(ofListener.configType()).isEqualTo(ConfigType.INT.id());
        assertThat(ofListener.configSource()).isEqualTo(ConfigSource.DYNAMIC_BROKER_CONFIG.id());
    }

    @Test
    void saysOfAStoredValueWhyItDoesNotCount() {
        live.stored(Scope.NODE, "num.io.threads", "6");
        live.stored(Scope.CLUSTER, "log.cleaner.threads", "3");
        live.stored(Scope.NODE, "listener.name.gone.max.connections", "7");
        live.notApplied("num.io.threads", "too many");
        live.notApplied("log.cleaner.threads", "no cleaner");
        live.notApplied("listener.name.gone.max.connections", "no such listener");

        DescribeConfigsResult broker = describe(ConfigResource.Type.BROKER, "1");
        DescribeConfigsResult all = describe(ConfigResource.Type.BROKER, "");

        assertThat(line(broker, "num.io.threads").value()).isEqualTo("4");
        assertThat(line(broker, "num.io.threads").configSource()).isEqualTo(ConfigSource.STATIC_BROKER_CONFIG.id());
        assertThat(line(broker, "num.io.threads").documentation())
                .startsWith("Not applied by this node: too many. The number");
        assertThat(line(broker, "listener.name.gone.max.connections").documentation())
                .contains("no such listener");
        assertThat(line(all, "log.cleaner.threads").value()).isEqualTo("3");
        assertThat(line(all, "log.cleaner.threads").documentation())
                .startsWith("Not applied by this node: no cleaner. ");
    }

    @Test
    void takesAStoredValueForItsOwnThatCountsAnyway() {
        live.stored(Scope.CLUSTER, "min.insync.replicas", "1");
        live.notApplied("min.insync.replicas", "no owner");

        assertThat(line(describe(ConfigResource.Type.BROKER, ""), "min.insync.replicas")
                        .documentation())
                .doesNotContain("Not applied");
        assertThat(line(describe(ConfigResource.Type.BROKER, "1"), "min.insync.replicas")
                        .configSource())
                .isEqualTo(ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG.id());
    }

    @Test
    void callsNothingReadOnlyThatCanBeChangedHere() {
        DescribeConfigsResult broker = describe(ConfigResource.Type.BROKER, "1");

        assertThat(line(broker, "num.io.threads").readOnly()).isFalse();
        assertThat(line(broker, "listeners").readOnly()).isFalse();
        assertThat(line(broker, "queued.max.requests").readOnly()).isTrue();
    }

    @Test
    void describesTheLoggersOfThisNode() {
        DescribeConfigsResult loggers = describe(ConfigResource.Type.BROKER_LOGGER, "1");

        assertThat(line(loggers, "kafka").value()).isEqualTo("WARN");
        assertThat(line(loggers, "kafka").configSource()).isEqualTo(ConfigSource.DYNAMIC_BROKER_LOGGER_CONFIG.id());
        assertThat(describe(ConfigResource.Type.BROKER_LOGGER, "2").errorMessage())
                .isEqualTo("Unexpected broker id, expected 1 but received 2");
    }

    @Test
    void neverShowsASecret() {
        DescribeConfigsResult broker = describe(ConfigResource.Type.BROKER, "1");

        assertThat(line(broker, "ssl.keystore.password").isSensitive()).isTrue();
        assertThat(line(broker, "ssl.keystore.password").value()).isNull();
        assertThat(line(broker, "my.plugin.password").isSensitive()).isTrue();
        assertThat(line(broker, "my.plugin.password").value()).isNull();
        assertThat(broker.toString()).doesNotContain("open sesame", "swordfish");
    }

    @Test
    void describesGroupsAndClientMetrics() {
        DescribeConfigsResult group = describe(ConfigResource.Type.GROUP, "g");
        DescribeConfigsResult clientMetrics = describe(ConfigResource.Type.CLIENT_METRICS, "cm");

        assertThat(synonyms(line(group, "consumer.session.timeout.ms")))
                .containsExactly("consumer.session.timeout.ms=50000", "group.consumer.session.timeout.ms=45000");
        assertThat(line(group, "consumer.session.timeout.ms").configSource()).isEqualTo(ConfigSource.GROUP_CONFIG.id());
        assertThat(line(group, "consumer.heartbeat.interval.ms").configSource())
                .isEqualTo(ConfigSource.DEFAULT_CONFIG.id());
        assertThat(line(clientMetrics, "interval.ms").value()).isEqualTo("30000");
        assertThat(line(clientMetrics, "interval.ms").configSource())
                .isEqualTo(ConfigSource.CLIENT_METRICS_CONFIG.id());
    }

    @Test
    void showsOnlyTheKeysThatWereAskedFor() {
        DescribeConfigsResource asked = resource(ConfigResource.Type.TOPIC, "orders");
        asked.setConfigurationKeys(List.of("retention.ms"));

        DescribeConfigsResult described = description.describe(asked, false, false);

        assertThat(described.configs()).singleElement().satisfies(line -> {
            assertThat(line.name()).isEqualTo("retention.ms");
            assertThat(line.synonyms()).isEmpty();
            assertThat(line.documentation()).isNull();
        });
    }

    @Test
    void refusesWhatThisBrokerDoesNotKnow() {
        assertThat(describe(ConfigResource.Type.TOPIC, "none").errorCode())
                .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        assertThat(describe(ConfigResource.Type.TOPIC, "a/b").errorCode())
                .isEqualTo(Errors.INVALID_TOPIC_EXCEPTION.code());
        assertThat(describe(ConfigResource.Type.BROKER, "2").errorMessage())
                .isEqualTo("Unexpected broker id, expected 1 or empty string, but received 2");
        assertThat(describe(ConfigResource.Type.GROUP, "").errorCode()).isEqualTo(Errors.INVALID_REQUEST.code());
    }

    private DescribeConfigsResult describe(ConfigResource.Type type, String name) {
        return description.describe(resource(type, name), true, true);
    }

    private static DescribeConfigsResource resource(ConfigResource.Type type, String name) {
        return new DescribeConfigsResource().setResourceType(type.id()).setResourceName(name);
    }

    private static DescribeConfigsResourceResult line(DescribeConfigsResult described, String name) {
        return described.configs().stream()
                .filter(line -> line.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> synonyms(DescribeConfigsResourceResult line) {
        return line.synonyms().stream()
                .map(synonym -> synonym.name() + "=" + synonym.value())
                .toList();
    }

    private static ConfigRecord config(ConfigResource.Type type, String resource, String name, String value) {
        return new ConfigRecord()
                .setResourceType(type.id())
                .setResourceName(resource)
                .setName(name)
                .setValue(value);
    }
}
