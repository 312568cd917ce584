package io.gregor.dispatch.internal;

import io.gregor.api.RequestFilter;
import io.gregor.testing.FakeReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;

/** A registry of filters over a map instead of a framework, with a clock and an allocation counter that the test moves. */
final class FilterServices implements BoundFilter.Source {
    private static final AtomicLong NUMBERS = new AtomicLong();

    final AtomicLong nowNs = new AtomicLong();
    final AtomicLong allocatedBytes = new AtomicLong();
    final List<Thread> replaced = new CopyOnWriteArrayList<>();
    final List<ServiceReference<RequestFilter>> closed = new CopyOnWriteArrayList<>();
    final String watchName = "filter-watch-test-" + NUMBERS.incrementAndGet();
    final FilterWatch watch = new FilterWatch(watchName, this::replace, nowNs::get, allocatedBytes::get);
    final FilterRegistry registry;
    private final Map<ServiceReference<RequestFilter>, RequestFilter> services = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();

    FilterServices(Standings standings) {
        Beans beans = new Beans(new AbstractConfig(new ConfigDef(), Map.of()));
        registry = new FilterRegistry(this, standings, watch, new FilterBeans(beans, "test"));
    }

    /** Adds one that sees a key; {@code more} are names and values of further properties. */
    FakeReference<RequestFilter> add(@Nullable RequestFilter filter, int key, Object... more) {
        return add(null, filter, key, more);
    }

    FakeReference<RequestFilter> add(@Nullable Bundle bundle, @Nullable RequestFilter filter, int key, Object... more) {
        long id = ids.incrementAndGet();
        Map<String, Object> properties = new HashMap<>(Map.of("api.key", key, "component.name", "filter-" + id));
        for (int i = 0; i < more.length; i += 2) {
            properties.put((String) more[i], more[i + 1]);
        }
        FakeReference<RequestFilter> reference =
                new FakeReference<>(id, (int) properties.getOrDefault("service.ranking", 0), properties, bundle);
        if (filter != null) {
            services.put(reference, filter);
        }
        registry.add(reference);
        return reference;
    }

    void remove(FakeReference<RequestFilter> reference) {
        services.remove(reference);
        registry.remove(reference);
    }

    private String replace(Thread lost) {
        replaced.add(lost);
        return "lost-" + replaced.size();
    }

    @Override
    public @Nullable RequestFilter open(ServiceReference<RequestFilter> reference) {
        return services.get(reference);
    }

    @Override
    public void close(ServiceReference<RequestFilter> reference) {
        closed.add(reference);
    }
}
