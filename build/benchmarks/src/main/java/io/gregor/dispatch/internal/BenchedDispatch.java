package io.gregor.dispatch.internal;

import io.gregor.api.RequestFilter;
import io.gregor.api.RequestHandler;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.osgi.framework.ServiceReference;

/** The registries and the dispatcher of a role, without threads. Owned by the thread of the benchmark. */
final class BenchedDispatch {
    private final Standings standings = new Standings();
    private final FilterRegistry filters;
    private final HandlerRegistry handlers;
    private final RoleDispatcher dispatcher;
    private long ids;

    BenchedDispatch() {
        FilterWatch watch =
                new FilterWatch("benchmark-watch", Thread::getName, System::nanoTime, AllocatedBytes::ofThisThread);
        Beans beans = new Beans(new AbstractConfig(new ConfigDef(), Map.of()));
        filters = new FilterRegistry(new Filters(), standings, watch, new FilterBeans(beans, "benchmark"));
        HandlerGaps gaps = new HandlerGaps(standings, System::nanoTime, () -> false, 0);
        handlers = new HandlerRegistry(
                new HandlerBundles(new Handlers()),
                new TableMaker(new ServedVersions(ListenerType.BROKER, false), standings, filters, gaps));
        filters.onChange(handlers::refresh);
        dispatcher = new RoleDispatcher(
                handlers, new RequestChannel(1), System::nanoTime, times -> {}, new QuotaMeter(false));
    }

    RoleDispatcher dispatcher() {
        return dispatcher;
    }

    void serve(short key, RequestHandler handler) {
        handlers.add(reference(key, handler));
    }

    void filter(short key, RequestFilter filter) {
        filters.add(reference(key, filter));
    }

    private <S> BenchedReference<S> reference(short key, S service) {
        ids++;
        return new BenchedReference<>(ids, service, Map.of("api.key", (int) key, "component.name", "service-" + ids));
    }

    void close() {
        filters.close();
    }

    /** Immutable. */
    private record Handlers() implements BoundHandler.Source {
        @Override
        public RequestHandler open(ServiceReference<RequestHandler> reference) {
            return ((BenchedReference<RequestHandler>) reference).service();
        }

        @Override
        public void close(ServiceReference<RequestHandler> reference) {}
    }

    /** Immutable. */
    private record Filters() implements BoundFilter.Source {
        @Override
        public RequestFilter open(ServiceReference<RequestFilter> reference) {
            return ((BenchedReference<RequestFilter>) reference).service();
        }

        @Override
        public void close(ServiceReference<RequestFilter> reference) {}
    }
}
