package io.gregor.node;

import io.gregor.internal.change.Journal;
import io.gregor.internal.change.LiveConfig;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.metadata.ControllerChannels;
import io.gregor.internal.metadata.MetadataFeed;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.plugin.PluginClasses;
import io.gregor.node.internal.AwaitedClasses;
import io.gregor.node.internal.LiveNode;
import io.gregor.node.internal.Settings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Gauge;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers the dynamic configuration and the journal, and brings it together with the parts that can be changed, the metadata, and the way to
 * the controller, whenever those come and go. Shared: any thread.
 */
@Component(immediate = true)
public final class DynamicNodeConfig implements LiveConfig, Journal {
    private static final Logger LOGGER = LoggerFactory.getLogger(DynamicNodeConfig.class);

    private final AwaitedClasses classes = new AwaitedClasses();
    private final LiveNode live;
    private final Metrics metrics;
    private final MetricName notAppliedCount;
    private final Map<MetadataFeed, MetadataPublisher> publishers = new ConcurrentHashMap<>();

    /** Begins with the values of the start. */
    @Activate
    public DynamicNodeConfig(@Reference NodeConfig config, @Reference Settings settings, @Reference Metrics metrics) {
        this.live = new LiveNode(settings, config, classes);
        this.metrics = metrics;
        this.notAppliedCount = metrics.metricName(
                "not-applied-config-count", "gregor-node", "Stored settings of this node that do not count.");
        metrics.addMetric(notAppliedCount, (Gauge<Integer>)
                (ignored, nowMs) -> live.notApplied().size());
    }

    @Deactivate
    void stop() {
        metrics.removeMetric(notAppliedCount);
        live.close();
    }

    /** It has been there before the configuration; what it has found stays when it leaves. */
    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindClasses(PluginClasses came) {
        classes.came(came);
    }

    void unbindClasses(PluginClasses gone) {}

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindPart(LiveSettings part) {
        live.add(part);
    }

    void unbindPart(LiveSettings part) {
        live.remove(part);
    }

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    void bindChannels(ControllerChannels channels) {
        live.channels(channels);
    }

    void unbindChannels(ControllerChannels channels) {
        live.forget(channels);
    }

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    void bindFeed(MetadataFeed feed) {
        MetadataPublisher publisher = live.publisher();
        publishers.put(feed, publisher);
        var unused = feed.install(publisher).whenComplete((installed, fault) -> {
            if (fault != null) {
                LOGGER.error("the stored settings of this node do not arrive", fault);
            }
        });
    }

    void unbindFeed(MetadataFeed feed) {
        MetadataPublisher publisher = publishers.remove(feed);
        if (publisher != null) {
            var unused = feed.remove(publisher);
        }
    }

    @Override
    public NodeConfig current() {
        return live.current();
    }

    @Override
    public Map<String, String> stored(Scope scope) {
        return live.stored(scope);
    }

    @Override
    public Map<String, String> notApplied() {
        return live.notApplied();
    }

    @Override
    public CompletableFuture<Outcome> change(Proposal proposal, Store store) {
        return live.change(proposal, store);
    }

    @Override
    public CompletableFuture<Outcome> change(Proposal proposal) {
        return live.change(proposal);
    }

    @Override
    public List<JournalEntry> journal() {
        return live.journal();
    }

    @Override
    public void add(String who, String door, Map<String, String> before, Map<String, String> after, String result) {
        live.add(who, door, before, after, result);
    }

    @Override
    public boolean isLast(String subject, String value) {
        return live.isLast(subject, value);
    }

    @Override
    public CompletableFuture<Outcome> undo(long number, String who, String door, boolean isDryRun) {
        return live.undo(number, who, door, isDryRun);
    }
}
