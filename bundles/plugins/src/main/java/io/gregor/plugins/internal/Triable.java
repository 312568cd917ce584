package io.gregor.plugins.internal;

import io.gregor.api.RequestFilter;
import io.gregor.api.RequestHandler;
import java.util.List;
import java.util.Optional;

/** Whether what a bundle offers can be tried on a share of the connections, and would be used after that. Immutable. */
final class Triable {
    private static final List<String> AT_ONCE = List.of("org.apache.kafka.", "io.gregor.api.security.");

    private Triable() {}

    /**
     * Checks it.
     *
     * @param own the services of the bundle
     * @param others the services of all bundles of other names
     * @throws RefusedJar if it cannot be tried
     */
    static void check(List<OfferedService> own, List<OfferedService> others) throws RefusedJar {
        for (OfferedService service : own) {
            Optional<String> global = service.types().stream()
                    .filter(type -> AT_ONCE.stream().anyMatch(type::startsWith))
                    .findFirst();
            if (global.isPresent()) {
                throw new RefusedJar(
                        "its service " + global.get() + " cannot be tried: it would count for all connections at once",
                        "put it into a bundle of its own");
            }
        }
        if (own.stream().noneMatch(one -> one.isA(RequestHandler.class) || one.isA(RequestFilter.class))) {
            throw new RefusedJar(
                    "it has neither a handler nor a filter: nothing of it can be tried on a share of the connections",
                    "drop it into deploy/");
        }
        for (OfferedService service : own) {
            if (service.isA(RequestHandler.class)) {
                checkRanking(service, others);
            }
        }
    }

    /** On trial a handler stands in front of all others; kept, it has to do so by its ranking. */
    private static void checkRanking(OfferedService handler, List<OfferedService> others) throws RefusedJar {
        for (OfferedService other : others) {
            String key =
                    other.isA(RequestHandler.class) ? handler.sharedKey(other).orElse("") : "";
            if (!key.isEmpty() && other.ranking() >= handler.ranking()) {
                throw new RefusedJar(
                        "after the trial it would not serve api.key=" + key + ": service.ranking=" + handler.ranking()
                                + " is not above that of " + other.bundle() + ", " + other.ranking(),
                        "give its handler a higher service.ranking");
            }
        }
    }
}
