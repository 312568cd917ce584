package io.gregor.handlers.admin;

import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.broker.Forwarding;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** DeleteAcls: the controller takes them out; the answer waits until they count no more on this broker. Immutable. */
@Component(service = RequestHandler.class)
@ServesApi(api_key = 31, api_brief = true)
public final class DeleteAclsHandler extends ForwardedHandler {
    /** Made by the service registry. */
    @Activate
    public DeleteAclsHandler(@Reference Forwarding forwarding) {
        super(forwarding);
    }
}
