package io.gregor.quotas.internal;

import io.gregor.internal.metadata.MetadataFeed;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.Role;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.metadata.publisher.DynamicTopicClusterQuotaPublisher;
import org.apache.kafka.server.quota.ClientQuotaType;
import org.apache.kafka.server.quota.QuotaFactory.QuotaManagers;
import org.jspecify.annotations.Nullable;

/**
 * Tells the class of {@code client.quota.callback.class} of topics and brokers, as Kafka does: by Kafka's own publisher. Owned
 * by the component's life cycle.
 */
public final class CallbackNews implements AutoCloseable {
    private static final String PART = "client quota callback";
    private static final long REMOVAL_TIMEOUT_MS = 30_000;

    private final MetadataFeed feed;
    private final NodeFaults faults;
    private final DynamicTopicClusterQuotaPublisher publisher;

    private CallbackNews(MetadataFeed feed, NodeFaults faults, DynamicTopicClusterQuotaPublisher publisher) {
        this.feed = feed;
        this.faults = faults;
        this.publisher = publisher;
    }

    /** Begins; null if there is no such class. */
    public static @Nullable CallbackNews of(
            QuotaManagers managers,
            ManagedQuotas quotas,
            MetadataFeed feed,
            String clusterId,
            int nodeId,
            Role role,
            NodeFaults faults) {
        if (managers.clientQuotaCallbackPlugin().isEmpty()) {
            return null;
        }
        DynamicTopicClusterQuotaPublisher publisher = new DynamicTopicClusterQuotaPublisher(
                clusterId,
                nodeId,
                faults.nonFatal(PART),
                role.property(),
                managers.clientQuotaCallbackPlugin(),
                () -> changed(managers, quotas));
        var unused = feed.install(publisher).whenComplete((installed, fault) -> {
            if (fault != null) {
                faults.nonFatal(PART).handleFault(PART + " gets no metadata", fault);
            }
        });
        return new CallbackNews(feed, faults, publisher);
    }

    private static void changed(QuotaManagers managers, ManagedQuotas quotas) {
        managers.quotaConfigChangeListener().onChange();
        for (ClientQuotaType type : ClientQuotaType.values()) {
            quotas.letGo(type);
        }
    }

    @Override
    public void close() {
        try {
            feed.remove(publisher).get(REMOVAL_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            faults.nonFatal(PART).handleFault("metadata still comes to the " + PART + " while it stops", e);
        }
    }
}
