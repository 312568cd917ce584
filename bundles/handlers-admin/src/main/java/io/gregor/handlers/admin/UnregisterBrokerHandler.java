package io.gregor.handlers.admin;

import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.broker.Forwarding;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** UnregisterBroker: the controller forgets a broker that is gone for good. Immutable. */
@Component(service = RequestHandler.class)
@ServesApi(api_key = 64, api_brief = true)
public final class UnregisterBrokerHandler extends ForwardedHandler {
    /** Made by the service registry. */
    @Activate
    public UnregisterBrokerHandler(@Reference Forwarding forwarding) {
        super(forwarding);
    }
}
