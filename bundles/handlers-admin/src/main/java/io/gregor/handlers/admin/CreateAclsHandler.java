package io.gregor.handlers.admin;

import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.broker.Forwarding;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** CreateAcls: the controller stores them; the answer waits until they count on this broker. Immutable. */
@Component(service = RequestHandler.class)
@ServesApi(api_key = 30, api_brief = true)
public final class CreateAclsHandler extends ForwardedHandler {
    /** Made by the service registry. */
    @Activate
    public CreateAclsHandler(@Reference Forwarding forwarding) {
        super(forwarding);
    }
}
