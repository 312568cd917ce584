package io.gregor.handlers.admin;

import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.broker.Forwarding;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** DeleteTopics: the controller deletes them by name or by id. Immutable. */
@Component(service = RequestHandler.class)
@ServesApi(api_key = 20, api_brief = true)
public final class DeleteTopicsHandler extends ForwardedHandler {
    /** Made by the service registry. */
    @Activate
    public DeleteTopicsHandler(@Reference Forwarding forwarding) {
        super(forwarding);
    }
}
