package io.gregor.handlers.admin;

import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.broker.Forwarding;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** ListPartitionReassignments: the controller tells which partitions are on the move. Immutable. */
@Component(service = RequestHandler.class)
@ServesApi(api_key = 46, api_brief = true)
public final class ListPartitionReassignmentsHandler extends ForwardedHandler {
    /** Made by the service registry. */
    @Activate
    public ListPartitionReassignmentsHandler(@Reference Forwarding forwarding) {
        super(forwarding);
    }
}
