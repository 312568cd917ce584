package io.gregor.dispatch.internal;

import java.util.List;
import org.apache.kafka.common.requests.RequestContext;
import org.jspecify.annotations.Nullable;

/** The filters of one API key, the one next to the client first. Immutable. */
final class FilterChain {
    /**
     * A filter in the chain. Immutable.
     *
     * @param filter the filter
     * @param sharePercent it sees so many of 100 connections
     * @param othersPercent but for so many of 100, which another bundle of its name on trial sees
     */
    record Stage(BoundFilter filter, int sharePercent, int othersPercent) {
        private static final int ALL = 100;

        boolean covers(RequestContext who) {
            return filter.terms().covers(who)
                    && (sharePercent >= ALL || TrialShare.has(who.connectionId, sharePercent))
                    && (othersPercent <= 0 || !TrialShare.has(who.connectionId, othersPercent));
        }
    }

    private final FilterRegistry registry;
    private final short key;
    private final Stage[] stages;

    FilterChain(FilterRegistry registry, short key, List<Stage> stages) {
        this.registry = registry;
        this.key = key;
        this.stages = stages.toArray(new Stage[0]);
    }

    /** The names of the filters. */
    List<String> names() {
        return List.of(stages).stream().map(stage -> stage.filter().name()).toList();
    }

    int size() {
        return stages.length;
    }

    /** The filter at this place; null if it does not see what comes from there. */
    @Nullable
    BoundFilter covering(int at, RequestContext who) {
        return stages[at].covers(who) ? stages[at].filter() : null;
    }

    /** The chain of now of the same key; null if there is none any more. */
    @Nullable
    FilterChain current() {
        return registry.chain(key);
    }

    /** Has the filters see a request; false if one of them has answered or refused it. On a handler thread; never throws. */
    boolean passes(ParsedRequest request) {
        for (Stage stage : stages) {
            if (stage.covers(request.context())) {
                return new FilterPass(request, registry.watch(), stages.length).run(this);
            }
        }
        return true;
    }
}
