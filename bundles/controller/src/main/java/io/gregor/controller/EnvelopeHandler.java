package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.controller.internal.ForwardedContext;
import io.gregor.internal.dispatch.RequestRouter;
import io.gregor.internal.node.Configurations;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.PrincipalDeserializationException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.requests.EnvelopeRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.KafkaPrincipalSerde;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Opens what brokers forward in the name of their clients (KIP-590). Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 58, role = "controller")
public final class EnvelopeHandler implements RequestHandler {
    private final ControllerCalls calls;
    private final RequestRouter router;

    /** Routes what is inside to the handlers of this role. */
    @Activate
    public EnvelopeHandler(
            @Reference ControllerCalls calls, @Reference(target = "(role=controller)") RequestRouter router) {
        this.calls = calls;
        this.router = router;
    }

    @Override
    public void handle(Request request) {
        calls.requireCluster(request, AclOperation.CLUSTER_ACTION);
        if (!request.context().fromPrivilegedListener) {
            throw new ClusterAuthorizationException("requests are not forwarded to listener="
                    + request.context().listenerName());
        }
        EnvelopeRequest envelope = request.body(EnvelopeRequest.class);
        KafkaPrincipal principal = principal(request.context(), envelope.requestPrincipal());
        InetAddress client = client(envelope.clientAddress());
        ByteBuffer inner = envelope.requestData().duplicate();
        RequestHeader header = header(inner);
        if (!header.apiKey().forwardable) {
            throw new InvalidRequestException(
                    "API " + header.apiKey() + " is not enabled or is not eligible for forwarding");
        }
        router.routeEmbedded(request, new ForwardedContext(request.context(), header, client, principal), inner);
    }

    private static KafkaPrincipal principal(RequestContext context, byte[] bytes) {
        KafkaPrincipalSerde serde = context.principalSerde.orElseThrow(() -> new PrincipalDeserializationException(
                "Could not deserialize principal since no `KafkaPrincipalSerde` has been defined"));
        try {
            return serde.deserialize(bytes);
        } catch (RuntimeException e) {
            throw new PrincipalDeserializationException("Failed to deserialize client principal from envelope", e);
        }
    }

    private static InetAddress client(byte[] address) {
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new InvalidRequestException("Failed to parse client address from envelope", e);
        }
    }

    private static RequestHeader header(ByteBuffer inner) {
        try {
            return RequestHeader.parse(inner);
        } catch (RuntimeException e) {
            throw new UnsupportedVersionException("Failed to parse request header from envelope", e);
        }
    }
}
