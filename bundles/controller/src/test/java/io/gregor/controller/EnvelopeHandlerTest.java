package io.gregor.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.dispatch.RequestRouter;
import io.gregor.testing.FakeAuthorization;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.PrincipalDeserializationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.EnvelopeRequestData;
import org.apache.kafka.common.message.UnregisterBrokerRequestData;
import org.apache.kafka.common.message.VoteRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.EnvelopeRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.UnregisterBrokerRequest;
import org.apache.kafka.common.requests.VoteRequest;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder;
import org.junit.jupiter.api.Test;

class EnvelopeHandlerTest {
    private static final byte[] CLIENT = {10, 0, 0, 4};
    private static final byte[] ALICE =
            new DefaultKafkaPrincipalBuilder(null, null).serialize(new KafkaPrincipal("User", "alice"));

    private final List<RequestContext> routed = new ArrayList<>();
    private final RequestRouter router = (envelope, inner, body) -> routed.add(inner);

    @Test
    void routesWhatIsInsideInTheNameOfTheClient() {
        open(Set.of(), unregisterBroker(), ALICE, CLIENT);

        RequestContext inner = routed.get(0);
        assertThat(inner.principal().toString()).isEqualTo("User:alice");
        assertThat(inner.clientAddress().getAddress()).isEqualTo(CLIENT);
        assertThat(inner.header.apiKey()).isEqualTo(ApiKeys.UNREGISTER_BROKER);
    }

    @Test
    void refusesWhoMayNotActForTheCluster() {
        assertThatThrownBy(() -> open(Set.of("CLUSTER_ACTION kafka-cluster"), unregisterBroker(), ALICE, CLIENT))
                .isInstanceOf(ClusterAuthorizationException.class);
        assertThat(routed).isEmpty();
    }

    @Test
    void refusesEnvelopesOnAListenerThatIsNotPrivileged() {
        FakeRequest envelope = new FakeRequest(envelope(unregisterBroker(), ALICE, CLIENT), false);

        assertThatThrownBy(() -> handler(Set.of()).handle(envelope.request()))
                .isInstanceOf(ClusterAuthorizationException.class)
                .hasMessageContaining("listener=CONTROLLER");
    }

    @Test
    void refusesAnApiThatIsNotForwarded() {
        ByteBuffer vote = inner(new VoteRequest.Builder(new VoteRequestData()).build());

        assertThatThrownBy(() -> open(Set.of(), vote, ALICE, CLIENT)).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void refusesBytesThatAreNoRequestNoPrincipalOrNoAddress() {
        assertThatThrownBy(() -> open(Set.of(), ByteBuffer.wrap(new byte[] {1, 2}), ALICE, CLIENT))
                .isInstanceOf(UnsupportedVersionException.class);
        assertThatThrownBy(() -> open(Set.of(), unregisterBroker(), new byte[] {1}, CLIENT))
                .isInstanceOf(PrincipalDeserializationException.class);
        assertThatThrownBy(() -> open(Set.of(), unregisterBroker(), ALICE, new byte[] {1}))
                .isInstanceOf(InvalidRequestException.class);
    }

    private void open(Set<String> denied, ByteBuffer inner, byte[] principal, byte[] client) {
        handler(denied).handle(new FakeRequest(envelope(inner, principal, client)).request());
    }

    private EnvelopeHandler handler(Set<String> denied) {
        FakeAuthorization authorization = new FakeAuthorization();
        denied.forEach(authorization::deny);
        return new EnvelopeHandler(new ControllerCalls(new FakeController().controller(), authorization), router);
    }

    private static EnvelopeRequest envelope(ByteBuffer inner, byte[] principal, byte[] client) {
        EnvelopeRequestData data = new EnvelopeRequestData()
                .setRequestData(inner)
                .setRequestPrincipal(principal)
                .setClientHostAddress(client);
        return new EnvelopeRequest(data, (short) 0);
    }

    private static ByteBuffer unregisterBroker() {
        return inner(new UnregisterBrokerRequest.Builder(new UnregisterBrokerRequestData()).build());
    }

    private static ByteBuffer inner(AbstractRequest request) {
        return request.serializeWithHeader(new RequestHeader(request.apiKey(), request.version(), "alice", 7));
    }
}
