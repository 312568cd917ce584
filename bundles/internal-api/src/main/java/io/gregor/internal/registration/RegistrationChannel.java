package io.gregor.internal.registration;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.NodeApiVersions;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.metadata.ListenerInfo;
import org.apache.kafka.server.common.ControllerRequestCompletionHandler;
import org.apache.kafka.server.common.NodeToControllerChannelManager;
import org.jspecify.annotations.Nullable;

/**
 * The channel over which Kafka's own code registers a node. Every registration that passes, the first one and what is sent
 * again later, gets the listeners of the moment. {@link #amend} registers again beside Kafka's code, under the same
 * incarnation: whatever the answer is, that code does not see it. Shared: any thread; guarded by itself, also while the
 * channel queues a request, so that the last one queued is the last one kept.
 */
public final class RegistrationChannel implements NodeToControllerChannelManager {
    /** Knows a role's registrations. */
    public interface Form {
        /** A registration with other listeners and all else as it was; empty if the request is no registration. */
        Optional<AbstractRequest.Builder<?>> renewed(AbstractRequest.Builder<?> request, ListenerInfo listeners);
    }

    private final NodeToControllerChannelManager channel;
    private final Form form;

    @GuardedBy("this")
    private ListenerInfo listeners = ListenerInfo.create(List.of());

    @GuardedBy("this")
    private @Nullable ListenerInfo sentListeners;

    @GuardedBy("this")
    private AbstractRequest.@Nullable Builder<?> sent;

    /** Wraps a channel; who starts and shuts this one down does so with that one. */
    public RegistrationChannel(NodeToControllerChannelManager channel, Form form) {
        this.channel = channel;
        this.form = form;
    }

    /** Has the next registrations carry these listeners. */
    public synchronized void listeners(ListenerInfo now) {
        listeners = now;
    }

    /** The listeners that the next registration carries. */
    public synchronized ListenerInfo listeners() {
        return listeners;
    }

    /** Whether the last registration said something else than the next one will. */
    public synchronized boolean isOutdated() {
        return sentListeners != null && !sentListeners.equals(listeners);
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
    public synchronized void sendRequest(
            AbstractRequest.Builder<? extends AbstractRequest> request, ControllerRequestCompletionHandler done) {
        AbstractRequest.Builder<?> registration =
                form.renewed(request, listeners).orElse(null);
        if (registration != null) {
            sent = registration;
            sentListeners = listeners;
        }
        channel.sendRequest(registration == null ? request : registration, done);
    }

    @Override
    public long getTimeoutMs() {
        return channel.getTimeoutMs();
    }

    private void amend(CompletableFuture<Void> answer) {
        try {
            sendAgain(new Amendment(answer));
        } catch (IllegalStateException impossible) {
            answer.completeExceptionally(impossible);
        }
    }

    /** Also a try that comes late says what counts then. */
    private synchronized void sendAgain(Amendment amendment) {
        if (sent == null) {
            throw new IllegalStateException("this node has not registered yet");
        }
        sendRequest(sent, amendment);
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
            return response.responseBody().errorCounts().keySet().stream()
                    .filter(error -> error != Errors.NONE)
                    .findFirst()
                    .orElse(Errors.NONE);
        }
    }
}
