package io.gregor.handlers.admin;

import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.broker.Forwarding;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** CreateTopics: the controller creates them; the answer waits until this broker has applied its share. Immutable. */
@Component(service = RequestHandler.class)
@ServesApi(api_key = 19, api_brief = true)
public final class CreateTopicsHandler extends ForwardedHandler {
    /** Made by the service registry. */
    @Activate
    public CreateTopicsHandler(@Reference Forwarding forwarding) {
        super(forwarding);
    }
}
