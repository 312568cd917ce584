package io.gregor.broker.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.NodeApiVersions;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.message.BrokerRegistrationRequestData.ListenerCollection;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.BrokerRegistrationRequest;
import org.apache.kafka.common.requests.BrokerRegistrationResponse;
import org.apache.kafka.metadata.ListenerInfo;
import org.apache.kafka.server.common.ControllerRequestCompletionHandler;
import org.apache.kafka.server.common.NodeToControllerChannelManager;
import org.jspecify.annotations.Nullable;

/**
 * The channel of registrations and heartbeats. Every registration that passes, the first one and what Kafka's lifecycle sends
 * again later, gets the listeners of the moment and the log directories that are online. {@link #amend} registers again
 * beside the lifecycle, under the same incarnation and so the same epoch: heartbeats go on whatever the answer is. Shared:
 * any thread; guarded by itself, never while something is sent.
 */
public final class RegistrationChannel implements NodeToControllerChannelManager {
    private final NodeToControllerChannelManager channel;
    private final Supplier<? extends Collection<Uuid>> onlineDirectories;

    @GuardedBy("this")
    private ListenerCollection listeners = new ListenerCollection();

    @GuardedBy("this")
    private @Nullable BrokerRegistrationRequestData sent;

    /** Wraps a channel; who starts and shuts this one down does so with that one. */
    public RegistrationChannel(
            NodeToControllerChannelManager channel, Supplier<? extends Collection<Uuid>> onlineDirectories) {
        this.channel = channel;
        this.onlineDirectories = onlineDirectories;
    }

    /** Has the next registrations carry these listeners. */
    public synchronized void listeners(ListenerInfo now) {
        listeners = now.toBrokerRegistrationRequest();
    }

    /** The listeners that the next registration carries. */
    public synchronized ListenerCollection listeners() {
        return listeners.duplicate();
    }

    /** Whether the last registration said something else than the next one will. */
    public synchronized boolean isOutdated() {
        return sent != null && !sent.listeners().equals(listeners);
    }

    /** Registers again; ends with the controller's answer. It is tried until there is one, or the future was ended. */
    public CompletableFuture<Void> amend() {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        amend(answer);
        return answer;
    }

    @Override
    public void start() {
        channel.start();
    }

    @Override
    public void shutdown() throws InterruptedException {
        channel.shutdown();
    }

    @Override
    public Optional<NodeApiVersions> controllerApiVersions() {
        return channel.controllerApiVersions();
    }

    @Override
    public void sendRequest(
            AbstractRequest.Builder<? extends AbstractRequest> request, ControllerRequestCompletionHandler done) {
        channel.sendRequest(
                request instanceof BrokerRegistrationRequest.Builder registration
                        ? renewed(registration.build().data())
                        : request,
                done);
    }

    @Override
    public long getTimeoutMs() {
        return channel.getTimeoutMs();
    }

    /** A try that comes late still says what counts then. */
    private void amend(CompletableFuture<Void> answer) {
        BrokerRegistrationRequestData last = sent();
        if (last == null) {
            answer.completeExceptionally(new IllegalStateException("this broker has not registered yet"));
            return;
        }
        try {
            channel.sendRequest(renewed(last), new Amendment(answer));
        } catch (IllegalStateException closed) {
            answer.completeExceptionally(closed);
        }
    }

    private synchronized @Nullable BrokerRegistrationRequestData sent() {
        return sent;
    }

    /** A directory that has failed would come back to life in the metadata. */
    private BrokerRegistrationRequest.Builder renewed(BrokerRegistrationRequestData registration) {
        Set<Uuid> online = Set.copyOf(onlineDirectories.get());
        BrokerRegistrationRequestData now = registration.duplicate();
        now.setLogDirs(now.logDirs().stream().filter(online::contains).toList());
        synchronized (this) {
            now.setListeners(listeners.duplicate());
            sent = now;
        }
        return new BrokerRegistrationRequest.Builder(now);
    }

    /** What becomes of one amendment. */
    private final class Amendment implements ControllerRequestCompletionHandler {
        private final CompletableFuture<Void> answer;

        Amendment(CompletableFuture<Void> answer) {
            this.answer = answer;
        }

        @Override
        public void onTimeout() {
            if (!answer.isDone()) {
                amend(answer);
            }
        }

        @Override
        public void onComplete(ClientResponse response) {
            Errors error = error(response);
            if (error == Errors.NONE) {
                answer.complete(null);
            } else {
                answer.completeExceptionally(error.exception(
                        "the controller refused the registration: errorCode=" + error + " (" + error.message() + ")"));
            }
        }

        private static Errors error(ClientResponse response) {
            if (response.authenticationException() != null) {
                return Errors.forException(response.authenticationException());
            }
            if (response.versionMismatch() != null) {
                return Errors.UNSUPPORTED_VERSION;
            }
            return Errors.forCode(((BrokerRegistrationResponse) response.responseBody())
                    .data()
                    .errorCode());
        }
    }
}
