package io.gregor.plugins.internal;

import io.gregor.internal.plugin.Plugins.State;
import io.gregor.internal.plugin.Standing;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bundles to which nothing new comes: each is stopped when it has nothing in hand any more, and asked to hurry when that takes
 * long, once a second until it has. Nobody waits for them, and one that never answers stays. Owned by the deployer thread.
 */
public final class Departures {
    /** There is nothing to look at. */
    static final long NEVER = Long.MAX_VALUE;

    private static final Logger LOGGER = LoggerFactory.getLogger(Departures.class);
    private static final long SOON_MS = 20;
    private static final long HURRY_AGAIN_MS = 1_000;

    private final RoleStandings standings;
    private final HeldServices held;
    private final Installation installation;
    private final Time time;
    private final LongSupplier hurryAfterMs;
    private final List<Departure> all = new ArrayList<>();

    Departures(
            RoleStandings standings,
            HeldServices held,
            Installation installation,
            Time time,
            LongSupplier hurryAfterMs) {
        this.standings = standings;
        this.held = held;
        this.installation = installation;
        this.time = time;
        this.hurryAfterMs = hurryAfterMs;
    }

    /** A bundle whose standing lets nothing new in. */
    public void add(PluginBundle plugin) {
        long nowNs = time.nanoseconds();
        long hurryNs = nowNs + TimeUnit.MILLISECONDS.toNanos(hurryAfterMs.getAsLong());
        all.add(new Departure(plugin, nowNs, hurryNs));
    }

    /** It is wanted again. Returns false if it was not on its way out. */
    boolean cancel(PluginBundle plugin) {
        return all.removeIf(departure -> departure.plugin == plugin);
    }

    /** Those that go for good. */
    List<PluginBundle> leaving() {
        return all.stream()
                .map(departure -> departure.plugin)
                .filter(plugin -> plugin.state() == State.LEAVING)
                .toList();
    }

    /** Whether it still runs here. */
    boolean has(PluginBundle plugin) {
        return all.stream().anyMatch(departure -> departure.plugin == plugin);
    }

    /**
     * Stops those that are done, at the second look at the earliest: between the two, others let go of classes that they have
     * from them. Returns after how many milliseconds to look again, {@link #NEVER} if none is left.
     */
    long look() {
        long nowNs = time.nanoseconds();
        long nextMs = NEVER;
        for (Iterator<Departure> each = all.iterator(); each.hasNext(); ) {
            Departure departure = each.next();
            long inHand = standings.inHand(departure.plugin.bundleId());
            if (departure.isSeen && inHand == 0) {
                each.remove();
                end(departure, nowNs);
            } else {
                departure.isSeen = true;
                boolean isLate = inHand > 0 && nowNs - departure.hurryNs >= 0;
                if (isLate) {
                    hurry(departure, inHand);
                }
                nextMs = Math.min(nextMs, isLate ? HURRY_AGAIN_MS : SOON_MS);
            }
        }
        return nextMs;
    }

    private void hurry(Departure departure, long inHand) {
        if (!departure.isHurried) {
            departure.isHurried = true;
            LOGGER.info("plugin is asked to answer what it has in hand: plugin={} inHand={}", departure.plugin, inHand);
        }
        standings.hurry(departure.plugin.bundleId());
    }

    private void end(Departure departure, long nowNs) {
        takeOut(departure.plugin);
        LOGGER.info(
                "plugin has left: plugin={} finishedMs={}",
                departure.plugin,
                TimeUnit.NANOSECONDS.toMillis(nowNs - departure.beganNs));
    }

    /** Stops one at once, which has nothing in hand, and forgets how it stood. */
    void takeOut(PluginBundle plugin) {
        long bundleId = plugin.bundleId();
        held.release(plugin);
        installation.takeOut(plugin);
        standings.stand(Map.of(bundleId, Standing.LIVE));
    }

    private static final class Departure {
        private final PluginBundle plugin;
        private final long beganNs;
        private final long hurryNs;
        private boolean isSeen;
        private boolean isHurried;

        private Departure(PluginBundle plugin, long beganNs, long hurryNs) {
            this.plugin = plugin;
            this.beganNs = beganNs;
            this.hurryNs = hurryNs;
        }
    }
}
