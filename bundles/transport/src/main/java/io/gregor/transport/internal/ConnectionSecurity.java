package io.gregor.transport.internal;

import io.gregor.api.security.SecuredConnection;
import io.gregor.internal.dispatch.VersionsAnswers;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.jspecify.annotations.Nullable;

/**
 * A connection as its channel layer and its authenticator see it, and the step that it has done aside. Owned by the processor
 * thread of the connection; {@link #id}, {@link #facts} and {@link #apiVersions} are for the thread of a step, too.
 *
 * <p>While a step is under way the key has no interest, so that the selector is silent whatever the client does. When it
 * has ended that is told to whoever owns the connection by then.
 */
final class ConnectionSecurity implements SecuredConnection {
    private final String id;
    private final ForwardingKey key;
    private final Executor threads;
    private final Supplier<@Nullable VersionsAnswers> versions;
    private final ConnectionFacts facts = new ConnectionFacts();
    private volatile @Nullable Runnable whenEnded;
    private boolean mayAsk;
    private @Nullable Runnable asked;
    private @Nullable SideStep step;

    /** Steps are run by {@code threads}; {@code versions} answers, null if nobody does just now. */
    ConnectionSecurity(String id, ForwardingKey key, Executor threads, Supplier<@Nullable VersionsAnswers> versions) {
        this.id = id;
        this.key = key;
        this.threads = threads;
        this.versions = versions;
    }

    /** What is called by any thread when a step has ended. */
    void whenEnded(Runnable call) {
        whenEnded = call;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public SelectionKey key() {
        return key;
    }

    @Override
    public ConnectionFacts facts() {
        return facts;
    }

    @Override
    public ApiVersionsResponse apiVersions(short version) {
        VersionsAnswers now = versions.get();
        if (now == null) {
            throw new IllegalStateException(
                    "nobody answers ApiVersions just now, handlers-cluster is away: connection=" + id);
        }
        return now.response(version);
    }

    @Override
    public void aside(Runnable work) {
        if (!mayAsk || asked != null) {
            throw new IllegalStateException("a step aside is asked for once in a call of handshake, authenticate or"
                    + " reauthenticate: connection=" + id);
        }
        asked = work;
    }

    /** A call of layer or authenticator, which may ask for a step. */
    interface Call {
        void make() throws IOException;
    }

    /**
     * Makes a call; the step that it asks for begins when it has returned.
     *
     * @return whether a step is under way now
     */
    boolean stepsAside(Call call) throws IOException {
        mayAsk = true;
        asked = null;
        try {
            call.make();
        } finally {
            mayAsk = false;
        }
        Runnable work = asked;
        if (work == null) {
            return false;
        }
        asked = null;
        SideStep next = new SideStep(work, this::ended);
        step = next;
        key.pause();
        threads.execute(next);
        return true;
    }

    /** Whether there is a step that the connection has not gone on after, be it that it has ended. */
    boolean hasStep() {
        return step != null;
    }

    /** Whether a step has ended that the connection has not gone on after. */
    boolean hasEnded() {
        return step != null && step.hasEnded();
    }

    /**
     * Whether a step is under way: nothing is to be done with the connection. One that has ended is over with this call.
     *
     * @throws StepFailure if it threw
     */
    boolean isAside() {
        SideStep now = step;
        if (now == null) {
            return false;
        }
        if (!now.hasEnded()) {
            return true;
        }
        step = null;
        key.goOn();
        Throwable fault = now.fault();
        if (fault != null) {
            throw StepFailure.of(fault);
        }
        return false;
    }

    /** The connection is gone; false if no step runs, and the caller closes what there is. */
    boolean abandon(Runnable last) {
        SideStep now = step;
        return now != null && now.abandon(last);
    }

    private void ended() {
        Runnable call = whenEnded;
        if (call != null) {
            call.run();
        }
    }
}
