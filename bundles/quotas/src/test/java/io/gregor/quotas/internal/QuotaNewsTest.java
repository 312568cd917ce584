package io.gregor.quotas.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.FakeNodeConfig;
import io.gregor.testing.FakeRequest;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.metadata.ClientQuotaRecord;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.server.quota.ClientQuotaType;
import org.apache.kafka.server.quota.QuotaFactory;
import org.apache.kafka.server.quota.ThrottleCallback;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QuotaNewsTest {
    private final Metrics metrics = new Metrics();
    private final QuotaFactory.QuotaManagers managers =
            QuotaFactory.instantiate(FakeNodeConfig.of().values(), metrics, Time.SYSTEM, "test-", "broker");
    private final ManagedQuotas quotas = new ManagedQuotas(managers, metrics, "test-", Time.SYSTEM);
    private final QuotaNews news = new QuotaNews(quotas, managers, 1);
    private final RequestContext who = FakeRequest.context(ApiKeys.PRODUCE, 9, "PLAINTEXT");
    private MetadataImage image = MetadataImage.EMPTY;

    @AfterEach
    void close() {
        quotas.close();
        metrics.close();
    }

    @Test
    void mostExactQuotaCounts() {
        quota("producer_byte_rate", 1.0, "client-id", null);
        assertThat(bound()).isEqualTo(1);
        quota("producer_byte_rate", 2.0, "client-id", "client");
        assertThat(bound()).isEqualTo(2);
        quota("producer_byte_rate", 3.0, "user", null);
        assertThat(bound()).isEqualTo(3);
        quota("producer_byte_rate", 4.0, "user", null, "client-id", null);
        assertThat(bound()).isEqualTo(4);
        quota("producer_byte_rate", 5.0, "user", null, "client-id", "client");
        assertThat(bound()).isEqualTo(5);
        quota("producer_byte_rate", 6.0, "user", "ANONYMOUS");
        assertThat(bound()).isEqualTo(6);
        quota("producer_byte_rate", 7.0, "user", "ANONYMOUS", "client-id", null);
        assertThat(bound()).isEqualTo(7);
        quota("producer_byte_rate", 8.0, "user", "ANONYMOUS", "client-id", "client");
        assertThat(bound()).isEqualTo(8);
        quota("producer_byte_rate", null, "user", "ANONYMOUS", "client-id", "client");
        assertThat(bound()).isEqualTo(7);
    }

    @Test
    void nothingIsMeasuredWithoutAQuotaOfTheKind() {
        quota("consumer_byte_rate", 1.0, "client-id", "client");

        assertThat(quotas.limits(ClientQuotaType.FETCH)).isTrue();
        assertThat(quotas.limits(ClientQuotaType.PRODUCE)).isFalse();
        assertThat(quotas.record(ClientQuotaType.PRODUCE, who, 1e9, Time.SYSTEM.milliseconds()))
                .isZero();

        quota("consumer_byte_rate", null, "client-id", "client");
        assertThat(quotas.limits(ClientQuotaType.FETCH)).isFalse();
    }

    @Test
    void whoIsGivenMoreGoesOnAtOnceAndOthersDoNot() {
        quota("producer_byte_rate", 10.0, "client-id", "client");
        List<String> told = new ArrayList<>();
        quotas.throttle(ClientQuotaType.PRODUCE, who, 3_600_000, callback(told));
        assertThat(told).containsExactly("start");

        quota("producer_byte_rate", 1.0, "client-id", "other");
        quota("producer_byte_rate", 5.0, "client-id", "client");
        assertThat(told).containsExactly("start");

        quota("producer_byte_rate", null, "client-id", "client");
        assertThat(told).containsExactly("start", "end");
    }

    @Test
    void whoIsHeldBackIsShownUntilLetGo() {
        quota("producer_byte_rate", 10.0, "client-id", "client");
        quotas.throttle(ClientQuotaType.PRODUCE, who, 3_600_000, callback(new ArrayList<>()));

        assertThat(quotas.held()).singleElement().satisfies(held -> {
            assertThat(held.type()).isEqualTo(ClientQuotaType.PRODUCE);
            assertThat(held.user()).isEqualTo("ANONYMOUS");
            assertThat(held.clientId()).isEqualTo("client");
            assertThat(held.remainingMs()).isBetween(3_500_000L, 3_600_000L);
        });
        quota("producer_byte_rate", null, "client-id", "client");
        assertThat(quotas.held()).isEmpty();
    }

    @Test
    void quotasThatGoAwayLetAllGoOnce() {
        quota("producer_byte_rate", 10.0, "client-id", "client");
        List<String> told = new ArrayList<>();
        quotas.throttle(ClientQuotaType.PRODUCE, who, 3_600_000, callback(told));

        quotas.close();
        quotas.close();

        assertThat(told).containsExactly("start", "end");
    }

    @Test
    void ratesOfTheBrokerCountBeforeThoseOfAllAndThrottledReplicasAreThoseOfThisBroker() {
        config(ConfigResource.Type.BROKER, "", "leader.replication.throttled.rate", "100");
        assertThat(managers.leader().upperBound()).isEqualTo(100);
        config(ConfigResource.Type.BROKER, "1", "leader.replication.throttled.rate", "200");
        assertThat(managers.leader().upperBound()).isEqualTo(200);
        config(ConfigResource.Type.BROKER, "1", "replica.alter.log.dirs.io.max.bytes.per.second", "300");
        assertThat(managers.alterLogDirs().upperBound()).isEqualTo(300);

        config(ConfigResource.Type.TOPIC, "t", "leader.replication.throttled.replicas", "0:1,1:2");
        assertThat(managers.leader().isThrottled(new TopicPartition("t", 0))).isTrue();
        assertThat(managers.leader().isThrottled(new TopicPartition("t", 1))).isFalse();
        config(ConfigResource.Type.TOPIC, "t", "leader.replication.throttled.replicas", "*");
        assertThat(managers.leader().isThrottled(new TopicPartition("t", 1))).isTrue();
        config(ConfigResource.Type.TOPIC, "t", "leader.replication.throttled.replicas", null);
        assertThat(managers.leader().isThrottled(new TopicPartition("t", 1))).isFalse();
    }

    private double bound() {
        return managers.produce().quota(who.principal, who.clientId()).bound();
    }

    private static ThrottleCallback callback(List<String> told) {
        return new ThrottleCallback() {
            @Override
            public void startThrottling() {
                told.add("start");
            }

            @Override
            public void endThrottling() {
                told.add("end");
            }
        };
    }

    private void quota(String key, @Nullable Double value, @Nullable String... entity) {
        List<ClientQuotaRecord.EntityData> parts = new ArrayList<>();
        for (int i = 0; i < entity.length; i += 2) {
            parts.add(
                    new ClientQuotaRecord.EntityData().setEntityType(entity[i]).setEntityName(entity[i + 1]));
        }
        MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
        delta.replay(new ClientQuotaRecord()
                .setEntity(parts)
                .setKey(key)
                .setValue(value == null ? 0 : value)
                .setRemove(value == null));
        follow(delta);
    }

    private void config(ConfigResource.Type type, String name, String key, @Nullable String value) {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
        delta.replay(new ConfigRecord()
                .setResourceType(type.id())
                .setResourceName(name)
                .setName(key)
                .setValue(value));
        follow(delta);
    }

    private void follow(MetadataDelta delta) {
        image = delta.apply(MetadataProvenance.EMPTY);
        news.follow(delta, image);
    }
}
