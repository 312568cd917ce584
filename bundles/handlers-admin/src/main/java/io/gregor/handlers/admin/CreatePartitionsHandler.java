package io.gregor.handlers.admin;

import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.broker.Forwarding;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** CreatePartitions: the controller adds partitions to topics. Immutable. */
@Component(service = RequestHandler.class)
@ServesApi(api_key = 37, api_brief = true)
public final class CreatePartitionsHandler extends ForwardedHandler {
    /** Made by the service registry. */
    @Activate
    public CreatePartitionsHandler(@Reference Forwarding forwarding) {
        super(forwarding);
    }
}
