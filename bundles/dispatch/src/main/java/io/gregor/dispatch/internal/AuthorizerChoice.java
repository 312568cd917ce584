package io.gregor.dispatch.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.plugin.RankedServices;
import io.gregor.internal.plugin.Standing;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.server.authorizer.Authorizer;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which authorizer decides. Shared: any thread; see {@code current}.
 *
 * <pre>
 *  none was named, none has come ──▶ OPEN ──came──▶ ASKED ──its bundle stopped──▶ CLOSED ──came again──▶ ASKED
 *  one is named, none is there ────▶ CLOSED           └──its bundle uninstalled, or taken out by the deployer──▶ OPEN
 * </pre>
 *
 * ASKED is the first of those that are there; a newer one of the same bundle's name waits behind the former until it is
 * ready, so that a swap has no gap. CLOSED lets super users in only, and so does one that is not ready.
 */
public final class AuthorizerChoice {
    private static final Logger LOGGER = LoggerFactory.getLogger(AuthorizerChoice.class);

    private final boolean isNamed;
    private final Authorizer closed;
    private final Metrics metrics;
    private final RankedServices<BundleAuthorizer> ranked = new RankedServices<>();

    @GuardedBy("this")
    private final Set<Long> missing = new HashSet<>();

    @GuardedBy("this")
    private Map<Long, Standing> standings = Map.of();

    private volatile Decider current;

    /**
     * Before any has come.
     *
     * @param isNamed whether the configuration names one
     * @param closed decides while the one that should is not there or not ready
     */
    public AuthorizerChoice(boolean isNamed, Authorizer closed, Metrics metrics) {
        this.isNamed = isNamed;
        this.closed = closed;
        this.metrics = metrics;
        this.current = isNamed ? Decider.of(closed, metrics) : Decider.OPEN;
    }

    /** Who decides now. */
    public Decider current() {
        return current;
    }

    /** Who decides now, for one who called an authorizer that has left. */
    Authorizer successor() {
        Authorizer now = current.authorizer();
        return now == null ? EveryoneAllowed.INSTANCE : now;
    }

    /** A started authorizer has come. */
    synchronized void add(BundleAuthorizer authorizer) {
        missing.remove(authorizer.bundleId());
        ranked.add(cast(authorizer.reference()), authorizer);
        choose();
    }

    /** One that is ready, of the same bundle's name as this one that is to come. */
    Optional<BundleAuthorizer> formerOf(BundleAuthorizer coming) {
        return ranked.all().stream()
                .filter(one -> one.symbolicName().equals(coming.symbolicName())
                        && one.started().isReady())
                .findFirst();
    }

    /** Its ranking changed, or it is ready. */
    synchronized void changed() {
        choose();
    }

    synchronized void changed(ServiceReference<Authorizer> reference) {
        ranked.change(cast(reference));
        choose();
    }

    /** An authorizer's service has left: its bundle is missed, unless the operator dismissed it. */
    synchronized Optional<BundleAuthorizer> remove(ServiceReference<Authorizer> reference) {
        Optional<BundleAuthorizer> leaving = ranked.all().stream()
                .filter(one -> one.reference().equals(reference))
                .findFirst();
        if (leaving.isPresent()) {
            ranked.remove(cast(reference));
            if (leaving.get().counts(standings)) {
                missing.add(leaving.get().bundleId());
            }
            choose();
        }
        return leaving;
    }

    /** A bundle is uninstalled: nobody waits for its authorizer any more. */
    synchronized void uninstalled(long bundleId) {
        if (missing.remove(bundleId)) {
            choose();
        }
    }

    /** How bundles stand now. */
    public synchronized void stand(Map<Long, Standing> all) {
        standings = Map.copyOf(all);
        missing.removeIf(bundle -> isDismissed(all.get(bundle)));
        choose();
    }

    private static boolean isDismissed(@Nullable Standing standing) {
        return standing != null
                && (standing.kind() == Standing.Kind.LEAVING || standing.kind() == Standing.Kind.RETIRED);
    }

    @GuardedBy("this")
    private void choose() {
        Map<Long, Standing> now = standings;
        List<BundleAuthorizer> counting =
                ranked.all().stream().filter(one -> one.counts(now)).toList();
        Authorizer next = counting.isEmpty() ? absent() : readyFirst(counting).started();
        if (next == current.authorizer()) {
            return;
        }
        current = next == null ? Decider.OPEN : Decider.of(next, metrics);
        LOGGER.info("authorization: {}", describe(next));
    }

    @GuardedBy("this")
    private @Nullable Authorizer absent() {
        return isNamed || !missing.isEmpty() ? closed : null;
    }

    private static BundleAuthorizer readyFirst(List<BundleAuthorizer> counting) {
        BundleAuthorizer first = counting.get(0);
        if (first.started().isReady()) {
            return first;
        }
        return counting.stream()
                .filter(one -> one.started().isReady() && one.symbolicName().equals(first.symbolicName()))
                .findFirst()
                .orElse(first);
    }

    private String describe(@Nullable Authorizer next) {
        if (next == null) {
            return "everything is allowed to everyone";
        }
        if (next == closed) {
            return "the authorizer is not there, only " + SuperUsersOnly.key() + " may do anything";
        }
        return "decided by " + ((StartedAuthorizer) next).name();
    }

    /** The references are compared only, whatever object they stand for. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static ServiceReference<BundleAuthorizer> cast(ServiceReference<Authorizer> reference) {
        return (ServiceReference) reference;
    }
}
