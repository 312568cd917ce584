package io.gregor.security.tls.internal;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of certificates that expire: 30, 14, 7, 3 and 1 days before, then once a day. Owned by the thread of the stores.
 */
final class ExpiryWarnings {
    private static final Logger LOGGER = LoggerFactory.getLogger(ExpiryWarnings.class);
    private static final long DAY_MS = TimeUnit.DAYS.toMillis(1);
    private static final int[] STEPS_DAYS = {0, 1, 3, 7, 14, 30};

    /**
     * What was said last of a store.
     *
     * @param serial of the certificate that expires first
     */
    private record Said(String serial, int stepDays, long atMs) {}

    private Map<String, Said> said = new HashMap<>();

    /** Says what is to be said now, and returns how many warnings these were. */
    int look(Collection<TlsLayer> layers, long nowMs) {
        Map<String, Said> next = new HashMap<>();
        int warnings = 0;
        for (TlsLayer layer : layers) {
            for (StoreKind kind : StoreKind.values()) {
                warnings += look(layer, kind, nowMs, next);
            }
        }
        said = next;
        return warnings;
    }

    private int look(TlsLayer layer, StoreKind kind, long nowMs, Map<String, Said> next) {
        StoredCertificate first = layer.stores().firstToExpire(kind).orElse(null);
        int stepDays = first == null ? -1 : stepDays(first.notAfterMs() - nowMs);
        if (first == null || stepDays < 0) {
            return 0;
        }
        String store = layer.listener() + " " + kind.tag();
        Said before = said.get(store);
        if (before != null && !isDue(before, first, stepDays, nowMs)) {
            next.put(store, before);
            return 0;
        }
        next.put(store, new Said(first.serial(), stepDays, nowMs));
        LOGGER.warn(
                "certificate {}: listener={} store={} alias={} subject=\"{}\" notAfter={} source={}",
                stepDays == 0 ? "has expired" : "expires within " + stepDays + " days",
                layer.listener(),
                kind.title(),
                first.alias(),
                first.subject(),
                Instant.ofEpochMilli(first.notAfterMs()),
                kind.source(layer.stores().settings()));
        return 1;
    }

    private static boolean isDue(Said before, StoredCertificate first, int stepDays, long nowMs) {
        return !before.serial().equals(first.serial())
                || before.stepDays() != stepDays
                || (stepDays == 0 && nowMs - before.atMs() >= DAY_MS);
    }

    /** The least step that is not shorter than what is left, 0 if nothing is, -1 if there is time enough. */
    static int stepDays(long leftMs) {
        for (int stepDays : STEPS_DAYS) {
            if (leftMs <= stepDays * DAY_MS) {
                return stepDays;
            }
        }
        return -1;
    }
}
