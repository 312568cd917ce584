package io.gregor.dispatch.internal;

import io.gregor.internal.dispatch.DispatchView;
import io.gregor.internal.node.Role;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.apache.kafka.network.SocketServerConfigs;
import org.apache.kafka.server.config.ServerConfigs;
import org.apache.kafka.server.fault.FaultHandler;

/**
 * Immutable. What one role's dispatch is made of: registry, channel, threads and what connects them.
 *
 * @param registry who serves which key
 * @param filters who sees requests and responses on their way
 * @param bundles which bundles of both count, and how they do
 * @param channel where requests wait
 * @param pool who works on them
 * @param dispatcher brings them to their handlers
 * @param intake makes them of frames
 * @param settings what of them changes while they run
 * @param metrics what is measured of them
 */
public record RoleParts(
        HandlerRegistry registry,
        FilterRegistry filters,
        RoleBundles bundles,
        RequestChannel channel,
        HandlerPool pool,
        RoleDispatcher dispatcher,
        RequestIntake intake,
        DispatchSettings settings,
        RoleMetrics metrics)
        implements DispatchView {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

    /** Puts the parts of a role together, its handler threads running. */
    public static RoleParts of(RoleContext role, BoundHandler.Source source, FaultHandler faults) {
        AbstractConfig config = role.config().values();
        ListenerType type = role.role() == Role.BROKER ? ListenerType.BROKER : ListenerType.CONTROLLER;
        boolean unstable = config.getBoolean(ServerConfigs.UNSTABLE_API_VERSIONS_ENABLE_CONFIG);
        FilterRegistry filters = new FilterRegistry();
        Standings standings = new Standings();
        HandlerBundles bundles = new HandlerBundles(source);
        HandlerRegistry registry =
                new HandlerRegistry(bundles, new TableMaker(new ServedVersions(type, unstable), standings, filters));
        filters.onChange(registry::refresh);
        RequestChannel channel = new RequestChannel(config.getInt(SocketServerConfigs.QUEUED_MAX_REQUESTS_CONFIG));
        HandlerPool pool = new HandlerPool(channel, faults, role.handlers().idle());
        RoleMetrics metrics = new RoleMetrics(role, type, pool, channel);
        RoleDispatcher dispatcher = new RoleDispatcher(registry, channel, System::nanoTime, metrics);
        pool.resize(config.getInt(ServerConfigs.NUM_IO_THREADS_CONFIG));
        return new RoleParts(
                registry,
                filters,
                new RoleBundles(standings, registry, bundles, filters, metrics.slots()),
                channel,
                pool,
                dispatcher,
                new RequestIntake(registry, channel, dispatcher),
                new DispatchSettings(pool, channel),
                metrics);
    }

    /** Ends the handler threads after the request in hand. */
    public void close() {
        pool.close(STOP_LIMIT);
        metrics.close();
    }

    @Override
    public Figures figures() {
        return metrics.figures();
    }

    @Override
    public int queueDepth() {
        return channel.depth();
    }

    @Override
    public int queueCapacity() {
        return channel.capacity();
    }

    @Override
    public int handlerThreads() {
        return pool.size();
    }

    @Override
    public int busyHandlerThreads() {
        return Math.max(0, pool.size() - channel.sleepingThreads());
    }

    @Override
    public List<HandlerRow> handlers() {
        return registry.table().all().stream()
                .map(api -> new HandlerRow(
                        api.key(),
                        api.name(),
                        api.minVersion(),
                        api.maxVersion(),
                        api.handler().name(),
                        api.handler().bundle().title(),
                        api.others()))
                .toList();
    }
}
