package io.gregor.dispatch.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.api.RequestHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shared: any thread; see {@code table}. The handler services of one role. Each change makes a new {@link ApiTable}; a
 * handler that leaves is out of the table first, and then waited for until no thread is inside it.
 */
public final class HandlerRegistry {
    private static final Logger LOGGER = LoggerFactory.getLogger(HandlerRegistry.class);

    /** Below the time that SCR waits for a component that is being changed. */
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(4);

    private final ListenerType listenerType;
    private final boolean unstableVersions;
    private final BoundHandler.Source source;
    private final FilterRegistry filters;

    @GuardedBy("this")
    private final List<BoundHandler> bound = new ArrayList<>();

    private volatile ApiTable table = new ApiTable(List.of());

    HandlerRegistry(
            ListenerType listenerType, boolean unstableVersions, BoundHandler.Source source, FilterRegistry filters) {
        this.listenerType = listenerType;
        this.unstableVersions = unstableVersions;
        this.source = source;
        this.filters = filters;
        filters.onChange(this::refresh);
    }

    /** Makes the table anew, as standings or filters have changed. */
    synchronized void refresh() {
        rebuild();
    }

    /** What is served now. */
    public ApiTable table() {
        return table;
    }

    /** A handler service came. */
    public synchronized void add(ServiceReference<RequestHandler> reference) {
        bound.add(bind(reference));
        rebuild();
    }

    /** The properties of a handler service changed. */
    public void change(ServiceReference<RequestHandler> reference) {
        BoundHandler former;
        synchronized (this) {
            former = takeOut(reference);
            bound.add(bind(reference));
            rebuild();
        }
        close(former);
    }

    /** A handler service leaves; returns when no thread is inside it. */
    public void remove(ServiceReference<RequestHandler> reference) {
        BoundHandler former;
        synchronized (this) {
            former = takeOut(reference);
            rebuild();
        }
        close(former);
    }

    /** Takes out a handler whose service object cannot be made, so that the next one serves. */
    synchronized void exclude(BoundHandler broken) {
        if (bound.remove(broken)) {
            LOGGER.error(
                    "handler could not be activated, the next one serves its keys; see the fault of its component: handler={}",
                    broken.name());
            rebuild();
        }
    }

    @GuardedBy("this")
    private @Nullable BoundHandler takeOut(ServiceReference<RequestHandler> reference) {
        for (BoundHandler handler : bound) {
            if (handler.reference().equals(reference)) {
                bound.remove(handler);
                return handler;
            }
        }
        return null;
    }

    private static void close(@Nullable BoundHandler former) {
        if (former != null && !former.close(DRAIN_LIMIT)) {
            LOGGER.warn("handler left while a request was still in it: handler={}", former.name());
        }
    }

    @GuardedBy("this")
    private void rebuild() {
        Map<Short, List<BoundHandler>> byKey = new TreeMap<>();
        for (BoundHandler handler : bound) {
            for (short key : handler.keys()) {
                byKey.computeIfAbsent(key, k -> new ArrayList<>()).add(handler);
            }
        }
        List<ServedApi> apis = new ArrayList<>();
        byKey.forEach((key, handlers) -> apis.add(serve(key, handlers)));
        table = new ApiTable(apis);
    }

    private ServedApi serve(short key, List<BoundHandler> handlers) {
        BoundHandler best = handlers.stream()
                .max((one, other) -> one.reference().compareTo(other.reference()))
                .orElseThrow();
        int others = handlers.size() - 1;
        if (key >= ApiTable.FIRST_NEW_KEY) {
            short min = best.version("api.min.version");
            return new ServedApi(
                    key, null, min, best.version("api.max.version"), min, best, filters.chain(key), others);
        }
        ApiKeys api = ApiKeys.forId(key);
        ApiVersion advertised = advertised(key).orElseThrow();
        return new ServedApi(
                key,
                api,
                api.oldestVersion(),
                advertised.maxVersion(),
                advertised.minVersion(),
                best,
                filters.chain(key),
                others);
    }

    private BoundHandler bind(ServiceReference<RequestHandler> reference) {
        BoundHandler handler = new BoundHandler(reference, source);
        if (handler.keys().isEmpty()) {
            LOGGER.warn("handler without the service property api.key serves nothing: handler={}", handler.name());
        }
        handler.keys().removeIf(key -> {
            boolean unknown = key < ApiTable.FIRST_NEW_KEY && advertised(key).isEmpty();
            if (unknown) {
                LOGGER.warn(
                        "key that these listeners do not have is not served: apiKey={} listeners={} handler={}",
                        key,
                        listenerType,
                        handler.name());
            }
            return unknown;
        });
        return handler;
    }

    private Optional<ApiVersion> advertised(short key) {
        if (!ApiKeys.hasId(key) || !ApiKeys.forId(key).inScope(listenerType)) {
            return Optional.empty();
        }
        return ApiKeys.forId(key).toApiVersionForApiResponse(unstableVersions, listenerType);
    }
}
