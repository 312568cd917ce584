package io.gregor.handlers.cluster;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.node.Configurations;
import org.apache.kafka.common.message.SaslHandshakeResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.SaslHandshakeResponse;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;

/**
 * Immutable. A handshake that comes here came to a connection that is authenticated, or has no authentication: the
 * authenticator takes all others.
 */
@Component(configurationPid = Configurations.ROLE, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 17, api_brief = true)
public final class SaslHandshakeHandler implements RequestHandler {
    @Override
    public void handle(Request request) {
        request.respond(new SaslHandshakeResponse(
                new SaslHandshakeResponseData().setErrorCode(Errors.ILLEGAL_SASL_STATE.code())));
    }
}
