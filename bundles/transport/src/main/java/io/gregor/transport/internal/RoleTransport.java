package io.gregor.transport.internal;

import io.gregor.internal.dispatch.VersionsAnswers;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.Role;
import io.gregor.internal.request.FrameIntake;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.apache.kafka.server.fault.FaultHandler;

/** What the threads of all listeners of a role share. Shared: any thread; settings are replaced as a whole. */
public final class RoleTransport {
    private final Time time;
    private final FaultHandler faults;
    private final Protection protection;
    private final NetworkMetrics metrics;
    private final ServiceSlot<FrameIntake> intake = new ServiceSlot<>();
    private final ServiceSlot<VersionsAnswers> versions = new ServiceSlot<>();
    private final RoleProcessors processors = new RoleProcessors();
    private final Disconnections disconnections = new Disconnections();
    private final SecurityBundles securityBundles = new SecurityBundles();
    private final StrangerLog strangers;
    private final StrangerLog failures;
    private final ExcessConnections excess;
    private final IntSupplier maxRequestBytes = this::askedMaxRequestBytes;
    private final Map<ListenerName, SideThreads> sideThreads = new ConcurrentHashMap<>();
    private volatile TransportSettings settings;

    /**
     * What keeps a role from being overrun. Immutable.
     *
     * @param memory bounds the frames
     * @param rates how fast connections may come
     * @param quotas how many connections there may be
     */
    public record Protection(RequestMemory memory, CreationRates rates, ConnectionQuotas quotas) {
        static Protection of(AbstractKafkaConfig values, Metrics metrics, Time time, MetricScope scope) {
            SampleWindows windows = SampleWindows.of(metrics.config(), time.nanoseconds());
            CreationRates rates = new CreationRates(
                    metrics,
                    time,
                    scope,
                    new CreationRates.Window(
                            values.quotaConfig().numQuotaSamples(),
                            values.quotaConfig().quotaWindowSizeSeconds()));
            return new Protection(
                    new RequestMemory(values.queuedMaxBytes(), time, windows), rates, new ConnectionQuotas(rates));
        }
    }

    /** Puts it together for a role, with the settings that count first. */
    public RoleTransport(Role role, NodeConfig config, NodeFaults faults, Metrics metrics) {
        MetricScope scope = MetricScope.of(role, config.roles());
        this.time = Time.SYSTEM;
        this.faults = faults.fatal("transport");
        this.settings = TransportSettings.of(config.values());
        this.protection = Protection.of(config.values(), metrics, time, scope);
        this.metrics = new NetworkMetrics(metrics, time, scope, processors, protection.memory());
        this.strangers = new StrangerLog(time);
        this.failures = new StrangerLog(time);
        this.excess = new ExcessConnections(protection.quotas(), processors::connections);
    }

    /** The settings that count now. */
    TransportSettings settings() {
        return settings;
    }

    /** Other settings count from now on. Reconfiguration thread. */
    void settings(TransportSettings next) {
        settings = next;
    }

    /** The clock. */
    Time time() {
        return time;
    }

    /** How long it is until a time of the clock, in milliseconds; at least 1, since 0 would be for ever. */
    long untilMs(long deadlineNs) {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadlineNs - time.nanoseconds()));
    }

    /** Where frames go; they wait while dispatch is away. */
    ServiceSlot<FrameIntake> intake() {
        return intake;
    }

    /** Bounds the frames. */
    RequestMemory memory() {
        return protection.memory();
    }

    /** How fast connections may come. */
    CreationRates rates() {
        return protection.rates();
    }

    /** How many connections there may be. */
    ConnectionQuotas quotas() {
        return protection.quotas();
    }

    /** Closes connections when there are too many. */
    ExcessConnections excess() {
        return excess;
    }

    /** Where the connections of a listener have done what takes long. */
    SideThreads sideThreads(ListenerName listener) {
        return sideThreads.computeIfAbsent(
                listener,
                name -> new SideThreads("data-plane-kafka-handshake-" + settings.nodeId() + "-" + name.value() + "-"));
    }

    /** Who answers ApiVersions before a client is authenticated. */
    ServiceSlot<VersionsAnswers> versions() {
        return versions;
    }

    /** Who is told of connections that have ended. */
    Disconnections disconnections() {
        return disconnections;
    }

    /** The processors that run. */
    RoleProcessors processors() {
        return processors;
    }

    /** Where the fault of a whole thread goes. */
    FaultHandler faults() {
        return faults;
    }

    /** Tells of clients that speak something else. */
    StrangerLog strangers() {
        return strangers;
    }

    /** Tells of clients that could not be authenticated. */
    StrangerLog failures() {
        return failures;
    }

    /** Whose channel layers and authenticators are in use. */
    SecurityBundles securityBundles() {
        return securityBundles;
    }

    /** What is seen of the role in Kafka's metrics. */
    NetworkMetrics metrics() {
        return metrics;
    }

    /** Nothing of it is used any more: takes its metrics away. */
    void close() {
        sideThreads.values().forEach(SideThreads::close);
        metrics.close();
        protection.rates().close();
    }

    /** {@code socket.request.max.bytes}, as it is when asked. */
    IntSupplier maxRequestBytes() {
        return maxRequestBytes;
    }

    private int askedMaxRequestBytes() {
        return settings.sockets().maxRequestBytes();
    }
}
