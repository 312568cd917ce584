package io.gregor.dispatch.internal;

import io.gregor.internal.node.EngineThread;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.server.authorizer.AclCreateResult;
import org.apache.kafka.server.authorizer.AclDeleteResult;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.authorizer.AuthorizerServerInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An authorizer of a bundle from its start on. Until it is ready for a listener, others decide there; after it has left, who
 * still calls it is sent on to what decides then, so that nobody is inside it when its bundle stops. Shared: any thread.
 */
final class StartedAuthorizer implements Authorizer {
    private static final Logger LOGGER = LoggerFactory.getLogger(StartedAuthorizer.class);
    private static final long LOOK_NS = 1_000_000;

    private final Authorizer authorizer;
    private final Authorizer meanwhile;
    private final Supplier<Authorizer> successor;
    private final Set<String> readyListeners = ConcurrentHashMap.newKeySet();
    private final LongAdder entered = new LongAdder();
    private final LongAdder left = new LongAdder();
    private volatile CompletableFuture<Void> ready = new CompletableFuture<>();
    private volatile boolean isReady;
    private volatile boolean isGone;

    /**
     * Not started.
     *
     * @param meanwhile decides until it is ready
     * @param successor who decides when it has left
     */
    StartedAuthorizer(Authorizer authorizer, Authorizer meanwhile, Supplier<Authorizer> successor) {
        this.authorizer = authorizer;
        this.meanwhile = meanwhile;
        this.successor = successor;
    }

    /** Starts it; what it says then about each listener counts. One that fails is never ready. */
    void begin(AuthorizerServerInfo server, Runnable onReady) {
        try {
            Map<Endpoint, ? extends CompletionStage<Void>> starting = EngineThread.call(() -> authorizer.start(server));
            CompletableFuture<?>[] all = starting.entrySet().stream()
                    .map(entry -> listener(entry.getKey(), entry.getValue()))
                    .toArray(CompletableFuture[]::new);
            ready = CompletableFuture.allOf(all);
        } catch (RuntimeException | LinkageError fault) {
            ready = CompletableFuture.failedFuture(fault);
        }
        var unused = ready.whenComplete((done, fault) -> {
            if (fault == null) {
                isReady = true;
            } else {
                LOGGER.error("authorizer does not become ready, only super.users may do anything: {}", name(), fault);
            }
            onReady.run();
        });
    }

    private CompletableFuture<Void> listener(Endpoint endpoint, CompletionStage<Void> stage) {
        return stage.thenRun(() -> readyListeners.add(endpoint.listener())).toCompletableFuture();
    }

    String name() {
        return authorizer.getClass().getName();
    }

    /** What was started. */
    Authorizer authorizer() {
        return authorizer;
    }

    /** Whether it is ready for all listeners. */
    boolean isReady() {
        return isReady;
    }

    /** Waits until it is ready, has failed, or the time is over. */
    void awaitReady(Duration limit) {
        long endNs = System.nanoTime() + limit.toNanos();
        while (!ready.isDone() && endNs - System.nanoTime() > 0) {
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    /** Nobody is sent here any more; waits for those who are inside. Returns false if they do not come out in time. */
    boolean leave(Duration limit) {
        isGone = true;
        long endNs = System.nanoTime() + limit.toNanos();
        while (left.sum() != entered.sum()) {
            if (endNs - System.nanoTime() <= 0) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NS);
        }
        return true;
    }

    /** Runs a call in the one who decides about this listener just now. */
    private <T> T decide(AuthorizableRequestContext who, Function<Authorizer, T> call) {
        if (!isReady && !readyListeners.contains(who.listenerName())) {
            return call.apply(meanwhile);
        }
        entered.increment();
        try {
            if (!isGone) {
                return call.apply(authorizer);
            }
        } finally {
            left.increment();
        }
        return call.apply(successor.get());
    }

    @Override
    public List<AuthorizationResult> authorize(AuthorizableRequestContext who, List<Action> actions) {
        return decide(who, decider -> decider.authorize(who, actions));
    }

    @Override
    public AuthorizationResult authorizeByResourceType(
            AuthorizableRequestContext who, AclOperation operation, ResourceType type) {
        return decide(who, decider -> decider.authorizeByResourceType(who, operation, type));
    }

    @Override
    public List<? extends CompletionStage<AclCreateResult>> createAcls(
            AuthorizableRequestContext who, List<AclBinding> bindings) {
        return decide(who, decider -> decider.createAcls(who, bindings));
    }

    @Override
    public List<? extends CompletionStage<AclDeleteResult>> deleteAcls(
            AuthorizableRequestContext who, List<AclBindingFilter> filters) {
        return decide(who, decider -> decider.deleteAcls(who, filters));
    }

    @Override
    public Iterable<AclBinding> acls(AclBindingFilter filter) {
        return authorizer.acls(filter);
    }

    @Override
    public int aclCount() {
        return authorizer.aclCount();
    }

    @Override
    public Map<Endpoint, ? extends CompletionStage<Void>> start(AuthorizerServerInfo server) {
        throw new UnsupportedOperationException("started once: " + name());
    }

    @Override
    public void configure(Map<String, ?> values) {
        throw new UnsupportedOperationException("configured once: " + name());
    }

    @Override
    public void close() {
        // it belongs to its bundle
    }
}
