package io.gregor.handlers.admin;

import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.broker.Forwarding;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** UnregisterController: the controller forgets another one that is gone for good. Immutable. */
@Component(service = RequestHandler.class)
@ServesApi(api_key = 94, api_brief = true)
public final class UnregisterControllerHandler extends ForwardedHandler {
    /** Made by the service registry. */
    @Activate
    public UnregisterControllerHandler(@Reference Forwarding forwarding) {
        super(forwarding);
    }
}
