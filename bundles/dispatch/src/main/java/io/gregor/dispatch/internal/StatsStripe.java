package io.gregor.dispatch.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * What one thread has counted, so that threads do not share what they write to. Owned by that thread; any thread reads. It
 * knows the weight with which values count now, which grows with time.
 */
final class StatsStripe {
    private static final long NS_PER_S = 1_000_000_000L;

    /** After so long weights begin anew from 1, before they get too large. */
    private static final long RESCALE_S = 3_600;

    /** ApiVersions may come in any version; such a one counts as that of its answer, so that there are not too many. */
    private static final short STRANGE_VERSION = 64;

    private static final VarHandle API = MethodHandles.arrayElementVarHandle(ApiStats[].class);

    private final @Nullable Thread owner;
    private final int number;
    private final long originNs;
    private volatile @Nullable ApiStats[] apis = new ApiStats[0];
    private long landmarkS;
    private long nextSecondNs = Long.MIN_VALUE;
    private double weight = 1;

    /**
     * @param owner who counts; null for what is left of threads that ended
     * @param number which no other living thread's stripe has, from 0 up
     * @param originNs the time of second 0
     */
    StatsStripe(@Nullable Thread owner, int number, long originNs, long nowNs) {
        this.owner = owner;
        this.number = number;
        this.originNs = originNs;
        this.landmarkS = (nowNs - originNs) / NS_PER_S;
    }

    @Nullable
    Thread owner() {
        return owner;
    }

    int number() {
        return number;
    }

    /** Counts a request that is done. Owner. */
    void add(RequestTimes times, int slot, RequestStats.Appearances appearances) {
        long nowNs = times.completedNs();
        if (nowNs >= nextSecondNs) {
            advance(nowNs);
        }
        ApiStats api = slot < apis.length ? apis[slot] : null;
        if (api == null) {
            api = newApi(slot);
        }
        ParsedRequest request = times.subject();
        api.record(RequestFigure.REQUEST_QUEUE_TIME, times.requestQueueNs(), weight);
        api.record(RequestFigure.LOCAL_TIME, times.localNs(), weight);
        api.record(RequestFigure.REMOTE_TIME, times.remoteNs(), weight);
        api.record(RequestFigure.THROTTLE_TIME, request.throttleNs(), weight);
        api.record(RequestFigure.RESPONSE_QUEUE_TIME, times.responseQueueNs(), weight);
        api.record(RequestFigure.RESPONSE_SEND_TIME, times.responseSendNs(), weight);
        api.record(RequestFigure.TOTAL_TIME, times.totalNs(), weight);
        api.record(RequestFigure.REQUEST_BYTES, request.bodySize(), weight);
        if (StatsSlots.isOfRecords(slot)) {
            api.record(RequestFigure.MESSAGE_CONVERSIONS_TIME, request.conversionNs(), weight);
            api.record(RequestFigure.TEMPORARY_MEMORY, request.temporaryMemoryBytes(), weight);
        }
        short version = request.apiVersion();
        if (version < 0 || version >= STRANGE_VERSION) {
            version = request.responseVersion();
        }
        if (api.countVersion(version)) {
            appearances.version(slot, version);
        }
        int successes = request.successes();
        if (successes > 0 && api.countError(Errors.NONE, successes)) {
            appearances.error(slot, Errors.NONE);
        }
        Map<Errors, Integer> errors = request.errors();
        if (errors != null) {
            api.countErrors(errors, appearances);
        }
        HandlerBundle bundle = request.bundle();
        if (bundle != null) {
            bundle.counts().add(number, slot, times);
        }
    }

    /** Does this with all that was counted for a slot. Any thread. */
    void forSlot(int slot, Consumer<ApiStats> reader) {
        @Nullable ApiStats[] all = apis;
        ApiStats found = slot < all.length ? (ApiStats) API.getAcquire(all, slot) : null;
        if (found != null) {
            reader.accept(found);
        }
    }

    /** Does this with all that was counted. Any thread. */
    void forAll(Consumer<ApiStats> reader) {
        int slots = apis.length;
        for (int slot = 0; slot < slots; slot++) {
            forSlot(slot, reader);
        }
    }

    /** Takes up all that another one has. Before others see this one. */
    void addAll(StatsStripe other) {
        other.forAll(from -> {
            ApiStats into = from.slot() < apis.length ? apis[from.slot()] : null;
            (into != null ? into : newApi(from.slot())).addAll(from);
        });
    }

    private void advance(long nowNs) {
        long second = (nowNs - originNs) / NS_PER_S;
        nextSecondNs = originNs + (second + 1) * NS_PER_S;
        if (second - landmarkS > RESCALE_S) {
            landmarkS = second;
            forAll(api -> api.rescale(second));
        }
        weight = Math.exp(FadingHistogram.ALPHA * (second - landmarkS));
    }

    private ApiStats newApi(int slot) {
        ApiStats added = new ApiStats(slot, landmarkS);
        if (slot < apis.length) {
            API.setRelease(apis, slot, added);
        } else {
            @Nullable ApiStats[] grown = Arrays.copyOf(apis, slot + 1);
            grown[slot] = added;
            apis = grown;
        }
        return added;
    }
}
