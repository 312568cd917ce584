package io.gregor.itest.plugins.kinds;

import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.server.quota.ClientQuotaCallback;
import org.apache.kafka.server.quota.ClientQuotaEntity;
import org.apache.kafka.server.quota.ClientQuotaType;

/** Gives all producers together 10 bytes a second, whoever they are, until any quota of producers is set; tells of topics. */
public final class OwnQuotas implements ClientQuotaCallback {
    private volatile double producers = 10;

    @Override
    public void configure(Map<String, ?> values) {
        Told.tell("quotas configured node=" + values.get("node.id"));
    }

    @Override
    public Map<String, String> quotaMetricTags(ClientQuotaType type, KafkaPrincipal principal, String clientId) {
        return Map.of("all", "one");
    }

    @Override
    public Double quotaLimit(ClientQuotaType type, Map<String, String> tags) {
        return type == ClientQuotaType.PRODUCE ? producers : null;
    }

    @Override
    public void updateQuota(ClientQuotaType type, ClientQuotaEntity entity, double value) {
        if (type == ClientQuotaType.PRODUCE) {
            producers = value;
        }
    }

    @Override
    public void removeQuota(ClientQuotaType type, ClientQuotaEntity entity) {}

    @Override
    public boolean quotaResetRequired(ClientQuotaType type) {
        return false;
    }

    @Override
    @SuppressWarnings("removal")
    public boolean updateClusterMetadata(Cluster cluster) {
        Told.tell("topics " + new TreeSet<>(cluster.topics()));
        return false;
    }

    @Override
    public void close() {}
}
