package io.gregor.handlers.admin;

import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.broker.Forwarding;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** ElectLeaders: the controller elects preferred or unclean leaders. Immutable. */
@Component(service = RequestHandler.class)
@ServesApi(api_key = 43, api_brief = true)
public final class ElectLeadersHandler extends ForwardedHandler {
    /** Made by the service registry. */
    @Activate
    public ElectLeadersHandler(@Reference Forwarding forwarding) {
        super(forwarding);
    }
}
