package io.gregor.dispatch.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a filter is in, and if not why: counts its faults, puts it out, and says so in the log. Shared: any thread; see
 * {@code reason}.
 *
 * <pre>
 *  IN ──(too many faults, a call given up, no object)──▶ OUT ──(tried again)──▶ IN
 *  OUT from the first moment on, and for good: wrong properties
 * </pre>
 */
final class FilterGuard {
    private static final Logger LOGGER = LoggerFactory.getLogger(FilterGuard.class);

    /** Lines about faults come no more often than this. */
    private static final Duration LOG_PAUSE = Duration.ofSeconds(10);

    private final String title;
    private final FilterTerms terms;
    private final LongSupplier clockNs;

    @GuardedBy("this")
    private final FaultWindow window;

    @GuardedBy("this")
    private long nextLineNs;

    @GuardedBy("this")
    private int unsaid;

    private volatile @Nullable String reason;

    /**
     * @param title name and bundle of the filter, as they stand in the log
     */
    FilterGuard(String title, FilterTerms terms, LongSupplier clockNs) {
        this.title = title;
        this.terms = terms;
        this.clockNs = clockNs;
        this.window =
                new FaultWindow(terms.budget().faults(), terms.budget().window().toNanos());
        this.nextLineNs = clockNs.getAsLong();
        if (!terms.wrong().isEmpty()) {
            reason = terms.wrong();
            LOGGER.warn(
                    "filter is out, {}: {} {}; correct its service properties and replace its bundle",
                    consequence(),
                    title,
                    terms.wrong());
        }
    }

    /** Why it is out; null if it is in. */
    @Nullable
    String reason() {
        return reason;
    }

    /** A call of it was a fault; too many of them put it out. */
    void fault(short apiKey, String what) {
        long nowNs = clockNs.getAsLong();
        boolean isTooMany;
        boolean isSaid;
        int left;
        int before;
        synchronized (this) {
            isTooMany = window.add(nowNs);
            left = terms.budget().faults() - window.count(nowNs);
            isSaid = !isTooMany && nowNs - nextLineNs >= 0;
            before = unsaid;
            unsaid = isSaid ? 0 : unsaid + 1;
            nextLineNs = isSaid ? nowNs + LOG_PAUSE.toNanos() : nextLineNs;
        }
        if (isTooMany) {
            putOut(apiKey, tooMany(what));
        } else if (isSaid) {
            LOGGER.warn(
                    "filter fault, {} more put it out: {} apiKey={} {}; notLogged={}; mend it, or give it another budget",
                    left,
                    title,
                    name(apiKey),
                    what,
                    before);
        }
    }

    private String tooMany(String what) {
        return what + ", the last of " + terms.budget().faults() + " faults within " + FilterProperties.WINDOW + "="
                + terms.budget().window().toMillis();
    }

    /** Puts it out at once. */
    void putOut(short apiKey, String why) {
        synchronized (this) {
            if (reason != null) {
                return;
            }
            reason = why;
        }
        LOGGER.error(
                "filter is out, {}: {} apiKey={} reason: {}; replace or restart its bundle, or try it again with"
                        + " filter:reset",
                consequence(),
                title,
                name(apiKey),
                why);
    }

    /** Lets it in again, its faults forgotten; false if it was in, or can never be. */
    boolean tryAgain() {
        synchronized (this) {
            if (reason == null || !terms.wrong().isEmpty()) {
                return false;
            }
            window.clear();
            reason = null;
        }
        LOGGER.info("filter is tried again: {}", title);
        return true;
    }

    private String consequence() {
        return terms.isClosed() ? "its requests are refused" : "requests pass without it";
    }

    private static String name(short apiKey) {
        return apiKey < ApiTable.FIRST_NEW_KEY && ApiKeys.hasId(apiKey)
                ? ApiKeys.forId(apiKey).name
                : Short.toString(apiKey);
    }
}
