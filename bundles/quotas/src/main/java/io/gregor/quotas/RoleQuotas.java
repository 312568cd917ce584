package io.gregor.quotas;

import io.gregor.internal.metadata.Following;
import io.gregor.internal.metadata.MetadataFeed;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.node.Role;
import io.gregor.internal.quota.ClientQuotas;
import io.gregor.internal.quota.QuotaView;
import io.gregor.internal.quota.ReplicationQuotas;
import io.gregor.quotas.internal.CallbackNews;
import io.gregor.quotas.internal.ManagedQuotas;
import io.gregor.quotas.internal.QuotaNews;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.quota.ClientQuotaType;
import org.apache.kafka.server.quota.ControllerMutationQuota;
import org.apache.kafka.server.quota.QuotaFactory;
import org.apache.kafka.server.quota.ReplicationQuotaManager;
import org.apache.kafka.server.quota.ThrottleCallback;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * The quotas of one role: Kafka's managers, there before the metadata, and true to it while there is any. Without metadata
 * they keep what they know. Shared: any thread.
 */
@Component(
        configurationPid = Configurations.ROLE,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true,
        service = {ClientQuotas.class, ReplicationQuotas.class, QuotaView.class})
public final class RoleQuotas implements ClientQuotas, ReplicationQuotas, QuotaView {
    private final Role role;
    private final NodeConfig config;
    private final NodeIdentity identity;
    private final NodeFaults faults;
    private final QuotaFactory.QuotaManagers managers;
    private final ManagedQuotas quotas;
    private final QuotaNews news;
    private @Nullable MetadataFeed feed;
    private @Nullable Following following;
    private @Nullable CallbackNews callbackNews;

    /** Makes the managers, which know of no quota yet. */
    @Activate
    public RoleQuotas(
            Map<String, Object> properties,
            @Reference NodeConfig config,
            @Reference NodeIdentity identity,
            @Reference NodeFaults faults,
            @Reference Metrics metrics) {
        this.role = Role.of(String.valueOf(properties.get(Role.PROPERTY)));
        this.config = config;
        this.identity = identity;
        this.faults = faults;
        String prefix = role.property() + "-" + config.nodeId() + "-";
        this.managers = EngineThread.call(
                () -> QuotaFactory.instantiate(config.values(), metrics, Time.SYSTEM, prefix, role.property()));
        this.quotas = new ManagedQuotas(managers, metrics, prefix, Time.SYSTEM);
        this.news = new QuotaNews(quotas, role == Role.BROKER ? managers : null, config.nodeId());
    }

    @Reference(name = "feed", cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    synchronized void bindFeed(MetadataFeed next) {
        leave();
        feed = next;
        Following joined = new Following(next, faults, "quotas of the " + role.property(), news);
        joined.start(() -> {});
        following = joined;
        callbackNews = CallbackNews.of(managers, quotas, next, identity.clusterId(), config.nodeId(), role, faults);
    }

    synchronized void unbindFeed(MetadataFeed gone) {
        if (feed == gone) {
            leave();
            feed = null;
        }
    }

    private void leave() {
        Following left = following;
        if (left != null) {
            left.close();
        }
        CallbackNews leftToo = callbackNews;
        if (leftToo != null) {
            leftToo.close();
        }
        following = null;
        callbackNews = null;
    }

    /** Lets everybody go who is held back. */
    @Deactivate
    void deactivate() {
        quotas.close();
    }

    @Override
    public boolean limits(ClientQuotaType type) {
        return quotas.limits(type);
    }

    @Override
    public int record(ClientQuotaType type, RequestContext who, double value, long nowMs) {
        return quotas.record(type, who, value, nowMs);
    }

    @Override
    public void recordNoThrottle(ClientQuotaType type, RequestContext who, double value) {
        quotas.recordNoThrottle(type, who, value);
    }

    @Override
    public void unrecord(ClientQuotaType type, RequestContext who, double value, long nowMs) {
        quotas.unrecord(type, who, value, nowMs);
    }

    @Override
    public void recordExempt(double value) {
        quotas.recordExempt(value);
    }

    @Override
    public double maxValueInWindow(ClientQuotaType type, RequestContext who) {
        return quotas.maxValueInWindow(type, who);
    }

    @Override
    public ControllerMutationQuota mutations(RequestContext who, int strictSince) {
        return quotas.mutations(who, strictSince);
    }

    @Override
    public void throttle(ClientQuotaType type, RequestContext who, int throttleTimeMs, ThrottleCallback callback) {
        quotas.throttle(type, who, throttleTimeMs, callback);
    }

    @Override
    public List<HeldRow> held() {
        return quotas.held();
    }

    @Override
    public ReplicationQuotaManager leader() {
        return managers.leader();
    }

    @Override
    public ReplicationQuotaManager follower() {
        return managers.follower();
    }

    @Override
    public ReplicationQuotaManager alterLogDirs() {
        return managers.alterLogDirs();
    }
}
