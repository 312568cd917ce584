package io.gregor.handlers.cluster;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.node.Configurations;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.SaslAuthenticateResponse;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;

/** Immutable. Refuses SASL tokens outside of a SASL exchange. */
@Component(configurationPid = Configurations.ROLE, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 36, api_brief = true)
public final class SaslAuthenticateHandler implements RequestHandler {
    @Override
    public void handle(Request request) {
        request.respond(new SaslAuthenticateResponse(new SaslAuthenticateResponseData()
                .setErrorCode(Errors.ILLEGAL_SASL_STATE.code())
                .setErrorMessage("SaslAuthenticate request received after successful authentication")));
    }
}
