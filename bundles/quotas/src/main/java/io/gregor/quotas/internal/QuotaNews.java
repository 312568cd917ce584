package io.gregor.quotas.internal;

import io.gregor.internal.metadata.MetadataFollower;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.metrics.Quota;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.utils.internals.Sanitizer;
import org.apache.kafka.image.ClientQuotaImage;
import org.apache.kafka.image.ClientQuotasImage;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.config.QuotaConfig;
import org.apache.kafka.server.quota.ClientQuotaEntity.ConfigEntity;
import org.apache.kafka.server.quota.ClientQuotaManager;
import org.apache.kafka.server.quota.ClientQuotaType;
import org.apache.kafka.server.quota.QuotaFactory.QuotaManagers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps quota managers true to the metadata. Owned by the metadata loader's thread. Quotas of addresses are transport's.
 */
public final class QuotaNews implements MetadataFollower {
    private static final Logger LOGGER = LoggerFactory.getLogger(QuotaNews.class);

    private static final Map<String, ClientQuotaType> TYPES = Map.of(
            QuotaConfig.PRODUCER_BYTE_RATE_OVERRIDE_CONFIG, ClientQuotaType.PRODUCE,
            QuotaConfig.CONSUMER_BYTE_RATE_OVERRIDE_CONFIG, ClientQuotaType.FETCH,
            QuotaConfig.REQUEST_PERCENTAGE_OVERRIDE_CONFIG, ClientQuotaType.REQUEST,
            QuotaConfig.CONTROLLER_MUTATION_RATE_OVERRIDE_CONFIG, ClientQuotaType.CONTROLLER_MUTATION);

    private final ManagedQuotas quotas;
    private final @Nullable ReplicationRates replication;
    private ClientQuotasImage applied = ClientQuotasImage.EMPTY;

    /**
     * Follows for these.
     *
     * @param copying the managers whose replication quotas follow too; null for a role that copies nothing
     * @param nodeId of the broker
     */
    public QuotaNews(ManagedQuotas quotas, @Nullable QuotaManagers copying, int nodeId) {
        this.quotas = quotas;
        this.replication = copying == null ? null : new ReplicationRates(copying, nodeId);
    }

    /** Whatever is left of an earlier time counts no more. */
    @Override
    public void begin(MetadataDelta delta, MetadataImage image) {
        Set<ClientQuotaEntity> all = new HashSet<>(applied.entities().keySet());
        all.addAll(image.clientQuotas().entities().keySet());
        apply(all, image.clientQuotas());
        for (ClientQuotaType type : ClientQuotaType.values()) {
            quotas.manager(type).updateQuotaMetricConfigs();
        }
        if (replication != null) {
            replication.begin(image.configs());
        }
    }

    @Override
    public void follow(MetadataDelta delta, MetadataImage image) {
        if (delta.clientQuotasDelta() != null) {
            apply(delta.clientQuotasDelta().changes().keySet(), image.clientQuotas());
        }
        if (replication != null && delta.configsDelta() != null) {
            replication.follow(delta.configsDelta().changes().keySet(), image.configs());
        }
    }

    private void apply(Set<ClientQuotaEntity> changed, ClientQuotasImage next) {
        Set<ClientQuotaType> touched = EnumSet.noneOf(ClientQuotaType.class);
        for (ClientQuotaEntity entity : changed) {
            if (!entity.entries().containsKey(ClientQuotaEntity.IP)) {
                apply(entity, values(applied, entity), values(next, entity), touched);
            }
        }
        applied = next;
        touched.forEach(quotas::letGo);
    }

    private void apply(
            ClientQuotaEntity entity,
            Map<String, Double> before,
            Map<String, Double> after,
            Set<ClientQuotaType> touched) {
        Set<String> keys = new HashSet<>(before.keySet());
        keys.addAll(after.keySet());
        for (String key : keys) {
            Double value = after.get(key);
            ClientQuotaType type = TYPES.get(key);
            if (type == null) {
                LOGGER.warn("a quota is not known, and has no effect: key={} entity={}", key, entity.entries());
            } else if (value == null || !value.equals(before.get(key))) {
                quotas.manager(type)
                        .updateQuota(
                                user(entity),
                                client(entity),
                                Optional.ofNullable(value).map(Quota::upperBound));
                touched.add(type);
            }
        }
    }

    private static Map<String, Double> values(ClientQuotasImage image, ClientQuotaEntity entity) {
        ClientQuotaImage quotas = image.entities().get(entity);
        return quotas == null ? Map.of() : quotas.quotas();
    }

    private static Optional<ConfigEntity> user(ClientQuotaEntity entity) {
        if (!entity.entries().containsKey(ClientQuotaEntity.USER)) {
            return Optional.empty();
        }
        String name = entity.entries().get(ClientQuotaEntity.USER);
        return Optional.of(
                name == null
                        ? ClientQuotaManager.DEFAULT_USER_ENTITY
                        : new ClientQuotaManager.UserEntity(Sanitizer.sanitize(name)));
    }

    private static Optional<ConfigEntity> client(ClientQuotaEntity entity) {
        if (!entity.entries().containsKey(ClientQuotaEntity.CLIENT_ID)) {
            return Optional.empty();
        }
        String name = entity.entries().get(ClientQuotaEntity.CLIENT_ID);
        return Optional.of(
                name == null ? ClientQuotaManager.DEFAULT_USER_CLIENT_ID : new ClientQuotaManager.ClientIdEntity(name));
    }
}
