package io.gregor.internal.registration;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.NodeApiVersions;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.message.BrokerRegistrationResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.BrokerRegistrationRequest;
import org.apache.kafka.common.requests.BrokerRegistrationResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.server.common.ControllerRequestCompletionHandler;
import org.apache.kafka.server.common.NodeToControllerChannelManager;

/** Keeps what is sent, and answers when the test says so. */
final class FakeControllerChannel implements NodeToControllerChannelManager {
    /** Puts the listeners in, and changes nothing else. */
    static final RegistrationChannel.Form FORM = (request, listeners) -> request
                    instanceof BrokerRegistrationRequest.Builder registration
            ? Optional.of(new BrokerRegistrationRequest.Builder(
                    registration.build().data().duplicate().setListeners(listeners.toBrokerRegistrationRequest())))
            : Optional.empty();

    final List<AbstractRequest> sent = new ArrayList<>();
    private final List<ControllerRequestCompletionHandler> waiting = new ArrayList<>();

    static ControllerRequestCompletionHandler ignored() {
        return new ControllerRequestCompletionHandler() {
            @Override
            public void onTimeout() {}

            @Override
            public void onComplete(ClientResponse response) {}
        };
    }

    BrokerRegistrationRequestData registration(int index) {
        return ((BrokerRegistrationRequest) sent.get(index)).data();
    }

    void answer(Errors error) {
        BrokerRegistrationResponse response =
                new BrokerRegistrationResponse(new BrokerRegistrationResponseData().setErrorCode(error.code()));
        RequestHeader header = new RequestHeader(ApiKeys.BROKER_REGISTRATION, (short) 4, "broker", 1);
        waiting.remove(0).onComplete(new ClientResponse(header, null, "0", 1, 2, false, null, null, response));
    }

    void timeOut() {
        waiting.remove(0).onTimeout();
    }

    @Override
    public void sendRequest(
            AbstractRequest.Builder<? extends AbstractRequest> request, ControllerRequestCompletionHandler done) {
        sent.add(request.build());
        waiting.add(done);
    }

    @Override
    public Optional<NodeApiVersions> controllerApiVersions() {
        return Optional.empty();
    }

    @Override
    public long getTimeoutMs() {
        return 2000;
    }

    @Override
    public void start() {}

    @Override
    public void shutdown() {}
}
