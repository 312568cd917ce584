package io.gregor.dispatch.internal;

import io.gregor.internal.dispatch.DispatchView;
import io.gregor.internal.dispatch.FilterRow;
import io.gregor.internal.node.GregorConfigs;
import io.gregor.internal.node.Role;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
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
 * @param gapTimer ends waits for handlers that do not come
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
        RoleMetrics metrics,
        GapTimer gapTimer)
        implements DispatchView {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

    /**
     * Puts the parts of a role together, its handler threads running.
     *
     * @param isNodeStopping whether the whole node stops: then no handler comes back
     */
    public static RoleParts of(
            RoleContext role, ServiceObjects objects, FaultHandler faults, BooleanSupplier isNodeStopping) {
        AbstractConfig config = role.config().values();
        ListenerType type = role.role() == Role.BROKER ? ListenerType.BROKER : ListenerType.CONTROLLER;
        boolean unstable = config.getBoolean(ServerConfigs.UNSTABLE_API_VERSIONS_ENABLE_CONFIG);
        Standings standings = new Standings();
        RequestChannel channel = new RequestChannel(config.getInt(SocketServerConfigs.QUEUED_MAX_REQUESTS_CONFIG));
        HandlerPool pool = new HandlerPool(channel, faults, role.handlers().idle());
        FilterRegistry filters = FilterRegistry.of(role, objects.filters(), standings, pool);
        HandlerBundles handlers = new HandlerBundles(objects.handlers());
        HandlerGaps gaps = new HandlerGaps(
                standings,
                System::nanoTime,
                isNodeStopping,
                config.getLong(GregorConfigs.HANDLER_SWAP_TIMEOUT_MS_CONFIG));
        TableMaker tables = new TableMaker(new ServedVersions(type, unstable), standings, filters, gaps);
        HandlerRegistry registry = new HandlerRegistry(handlers, tables);
        filters.onChange(registry::refresh);
        GapTimer gapTimer = new GapTimer("gregor-handler-gap-" + role.role().property(), registry::endGaps);
        registry.onGap(gapTimer::wake);
        RoleMetrics metrics = new RoleMetrics(role, type, pool, channel, registry);
        RoleDispatcher dispatcher = new RoleDispatcher(
                registry, channel, System::nanoTime, metrics, new QuotaMeter(role.role() == Role.CONTROLLER));
        RoleBundles bundles = new RoleBundles(standings, registry, handlers, filters, metrics.slots());
        BundleBeans beans =
                new BundleBeans(role.role(), metrics.beans(), bundles, work -> channel.putFollowUp(new Chore(work)));
        registry.onChange(beans::follow);
        pool.resize(config.getInt(ServerConfigs.NUM_IO_THREADS_CONFIG));
        return new RoleParts(
                registry,
                filters,
                bundles,
                channel,
                pool,
                dispatcher,
                new RequestIntake(registry, channel, dispatcher),
                new DispatchSettings(pool, channel, registry),
                metrics,
                gapTimer);
    }

    /** The node stops: no request waits for a handler any more. */
    public void nodeStops() {
        registry.closeGaps();
    }

    /** Ends the handler threads after the request in hand. */
    public void close() {
        registry.closeGaps();
        gapTimer.close();
        pool.close(STOP_LIMIT);
        filters.close();
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
    public int waitingRequests() {
        return registry.table().waitingRequests();
    }

    @Override
    public long waitingBytes() {
        return registry.table().waitingBytes();
    }

    @Override
    public List<FilterRow> filterRows() {
        return filters.rows();
    }

    @Override
    public boolean tryAgain(String filter) {
        return filters.tryAgain(filter);
    }

    @Override
    public List<HandlerRow> handlers() {
        return registry.table().all().stream().map(this::row).toList();
    }

    private HandlerRow row(ServedApi api) {
        BoundHandler handler = api.handler();
        TrialHandler trial = api.trial();
        FilterChain chain = api.filters();
        WaitingRequests gap = api.waiting();
        return new HandlerRow(
                api.key(),
                api.name(),
                api.minVersion(),
                api.maxVersion(),
                handler == null ? "" : handler.name(),
                handler == null ? "" : handler.bundle().title(),
                api.others(),
                trial == null
                        ? null
                        : new TrialRow(
                                trial.handler().name(), trial.handler().bundle().title(), trial.sharePercent()),
                chain == null ? List.of() : chain.names(),
                metrics.requests(api.key()),
                gap == null ? 0 : gap.count());
    }
}
