package io.gregor.dispatch.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.node.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;

/**
 * The MBeans {@code kafka.network:type=RequestMetrics} of one role: the histograms of all APIs from the start; rates when the
 * first request of a version or the first error of a kind has come, as Kafka has them; see {@link #register}. Shared: any thread.
 *
 * <p>In one process the two roles of Kafka add up under one name what both of them serve. Here that name is the broker's, and
 * the controller's has {@code role=controller} in it.
 */
final class RequestBeans implements RequestStats.Appearances {
    private static final String DOMAIN_AND_TYPE = "kafka.network:type=RequestMetrics,name=";

    private final ListenerType listeners;
    private final Beans beans;
    private final Consumer<Runnable> elsewhere;
    private final RequestStats stats;
    private final String tag;
    private final List<Shown> fromStart;

    @GuardedBy("this")
    private final List<Shown> newKeys = new ArrayList<>();

    /** What is shown as one API: the end of its names, where its requests are counted, and where its errors. */
    private static final class Shown {
        final String tags;
        final int[] slots;
        final int[] errorSlots;

        Shown(String tags, int[] slots, int[] errorSlots) {
            this.tags = tags;
            this.slots = slots;
            this.errorSlots = errorSlots;
        }
    }

    /**
     * @param isBesideBroker whether a broker in this process has Kafka's names
     * @param elsewhere runs work on a thread that may block
     */
    RequestBeans(
            ListenerType listeners,
            boolean isBesideBroker,
            Beans beans,
            LongSupplier clockNs,
            Consumer<Runnable> elsewhere) {
        this.listeners = listeners;
        this.beans = beans;
        this.elsewhere = elsewhere;
        this.stats = new RequestStats(clockNs, this);
        this.tag = isBesideBroker ? ",role=" + Role.CONTROLLER.property() : "";
        this.fromStart = shown(listeners);
    }

    /** What is shown. */
    RequestStats stats() {
        return stats;
    }

    /**
     * Registers what is there from the start. A broker of Kafka's sends some requests to itself, so that their rates are there
     * on every node; here they are, and count what comes from others.
     */
    void register() {
        fromStart.forEach(this::addHistograms);
        if (listeners == ListenerType.BROKER) {
            addVersion(StatsSlots.VERIFICATION, ApiKeys.ADD_PARTITIONS_TO_TXN.latestVersion());
            addVersion(ApiKeys.WRITE_TXN_MARKERS.id, ApiKeys.WRITE_TXN_MARKERS.latestVersion());
            addError(ApiKeys.WRITE_TXN_MARKERS.id, Errors.NONE);
        }
    }

    @Override
    public void version(int slot, short version) {
        elsewhere.accept(() -> addVersion(slot, version));
    }

    @Override
    public void error(int slot, Errors error) {
        elsewhere.accept(() -> addError(slot, error));
    }

    private List<Shown> shown(ListenerType listeners) {
        List<Shown> all = new ArrayList<>();
        for (ApiKeys api : ApiKeys.apisForListener(listeners)) {
            String tags = ",request=" + api.name + (api.inScope(ListenerType.BROKER) ? tag : "");
            switch (api) {
                case FETCH -> {
                    int[] both = {StatsSlots.CONSUMER_FETCH, StatsSlots.FOLLOWER_FETCH};
                    all.add(new Shown(tags, both, both));
                }
                case LIST_CONFIG_RESOURCES -> {
                    int[] both = {api.id, StatsSlots.CLIENT_METRICS};
                    all.add(new Shown(tags, both, both));
                }
                case ADD_PARTITIONS_TO_TXN ->
                    all.add(new Shown(tags, new int[] {api.id}, new int[] {api.id, StatsSlots.VERIFICATION}));
                default -> all.add(new Shown(tags, new int[] {api.id}, new int[] {api.id}));
            }
        }
        all.add(part("FetchConsumer", StatsSlots.CONSUMER_FETCH));
        all.add(part("FetchFollower", StatsSlots.FOLLOWER_FETCH));
        all.add(part("AddPartitionsToTxnVerification", StatsSlots.VERIFICATION));
        all.add(part("ListClientMetricsResources", StatsSlots.CLIENT_METRICS));
        return all;
    }

    /** A kind of request that has histograms of its own; its errors are those of its API. */
    private Shown part(String name, int slot) {
        return new Shown(",request=" + name + tag, new int[] {slot}, new int[0]);
    }

    private void addHistograms(Shown api) {
        for (RequestFigure figure : RequestFigure.values()) {
            if (!figure.isOfRecords() || isOfRecords(api)) {
                beans.add(
                        DOMAIN_AND_TYPE + figure.beanName() + api.tags,
                        new HistogramBean(() -> stats.distribution(figure, api.slots), figure.shownPerUnit()));
            }
        }
    }

    /** Of Fetch as a whole, not of its two kinds. */
    private static boolean isOfRecords(Shown api) {
        return StatsSlots.isOfRecords(api.slots[0]) && api.errorSlots.length > 0;
    }

    private void addVersion(int slot, short version) {
        for (Shown api : of(slot)) {
            if (contains(api.slots, slot)) {
                addRate(
                        DOMAIN_AND_TYPE + "RequestsPerSec" + api.tags + ",version=" + version,
                        () -> stats.ofVersion(version, api.slots));
            }
        }
    }

    private void addError(int slot, Errors error) {
        for (Shown api : of(slot)) {
            if (contains(api.errorSlots, slot)) {
                addRate(
                        DOMAIN_AND_TYPE + "ErrorsPerSec" + api.tags + ",error=" + error.name(),
                        () -> stats.ofError(error, api.errorSlots));
            }
        }
    }

    private void addRate(String name, LongSupplier count) {
        if (!beans.has(name)) {
            FadingRate rate = stats.rate(nowNs -> count.getAsLong(), false);
            beans.add(name, new RateBean(rate, stats::nowNs, "requests", TimeUnit.SECONDS));
        }
    }

    private synchronized List<Shown> of(int slot) {
        if (!StatsSlots.isOfNewKey(slot)) {
            return fromStart;
        }
        if (newKeys.stream().noneMatch(api -> contains(api.slots, slot))) {
            int[] own = {slot};
            Shown added = new Shown(",request=" + stats.slots().newKey(slot) + tag, own, own);
            newKeys.add(added);
            addHistograms(added);
        }
        return List.copyOf(newKeys);
    }

    private static boolean contains(int[] slots, int slot) {
        return IntStream.of(slots).anyMatch(one -> one == slot);
    }
}
