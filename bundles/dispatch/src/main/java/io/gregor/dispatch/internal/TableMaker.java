package io.gregor.dispatch.internal;

import io.gregor.internal.plugin.Standing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.protocol.ApiKeys;

/** Makes the table of what is served of handlers, standings and filters as they are now. Immutable. */
final class TableMaker {
    private final ServedVersions versions;
    private final Standings standings;
    private final FilterRegistry filters;
    private final HandlerGaps gaps;

    TableMaker(ServedVersions versions, Standings standings, FilterRegistry filters, HandlerGaps gaps) {
        this.versions = versions;
        this.standings = standings;
        this.filters = filters;
        this.gaps = gaps;
    }

    /** Which keys these listeners have. */
    ServedVersions versions() {
        return versions;
    }

    /** For how long they wait for handlers. */
    HandlerGaps gaps() {
        return gaps;
    }

    /** The table that these handlers give; keys of the former one that nobody serves any more may stay for a while. */
    ApiTable make(List<BoundHandler> bound, ApiTable former) {
        Map<Short, List<BoundHandler>> byKey = new TreeMap<>();
        bound.stream()
                .filter(this::counts)
                .sorted(Comparator.comparing(BoundHandler::order))
                .forEach(handler -> handler.keys().forEach(key -> byKey.computeIfAbsent(key, k -> new ArrayList<>())
                        .add(handler)));
        List<ServedApi> apis = new ArrayList<>();
        byKey.forEach((key, handlers) -> apis.add(serve(key, handlers)));
        for (ServedApi left : former.all()) {
            WaitingRequests gap = byKey.containsKey(left.key()) ? null : gaps.of(left);
            if (gap != null) {
                apis.add(left.withoutHandler(gap, filters.chain(left.key())));
            }
        }
        return new ApiTable(apis);
    }

    /** Of several on trial the first one is tried; where nobody else serves, it serves all. */
    private ServedApi serve(short key, List<BoundHandler> handlers) {
        List<BoundHandler> tried = handlers.stream().filter(this::isOnTrial).toList();
        List<BoundHandler> settled =
                handlers.stream().filter(handler -> !isOnTrial(handler)).toList();
        if (tried.isEmpty() || settled.isEmpty()) {
            return api(key, handlers.get(0), handlers.size() - 1);
        }
        ServedApi trial = api(key, tried.get(0), 0);
        return api(key, settled.get(0), handlers.size() - 2)
                .withTrial(new TrialHandler(tried.get(0), share(tried.get(0)), trial.minVersion(), trial.maxVersion()));
    }

    private ServedApi api(short key, BoundHandler handler, int others) {
        FilterChain chain = filters.chain(key);
        if (key >= ApiTable.FIRST_NEW_KEY) {
            short min = handler.version("api.min.version");
            return new ServedApi(
                    key, null, min, handler.version("api.max.version"), min, handler, null, null, chain, others);
        }
        ApiKeys api = ApiKeys.forId(key);
        ApiVersion advertised = versions.of(key).orElseThrow();
        return new ServedApi(
                key,
                api,
                api.oldestVersion(),
                advertised.maxVersion(),
                advertised.minVersion(),
                handler,
                null,
                null,
                chain,
                others);
    }

    private boolean counts(BoundHandler handler) {
        return standing(handler).isUsed();
    }

    private boolean isOnTrial(BoundHandler handler) {
        return standing(handler).kind() == Standing.Kind.TRIAL;
    }

    private int share(BoundHandler handler) {
        return standing(handler).sharePercent();
    }

    private Standing standing(BoundHandler handler) {
        return standings.of(handler.bundle().id());
    }
}
