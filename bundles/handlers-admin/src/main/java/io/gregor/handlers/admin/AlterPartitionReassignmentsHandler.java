package io.gregor.handlers.admin;

import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.broker.Forwarding;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** AlterPartitionReassignments: the controller moves partitions to other brokers, or cancels it. Immutable. */
@Component(service = RequestHandler.class)
@ServesApi(api_key = 45, api_brief = true)
public final class AlterPartitionReassignmentsHandler extends ForwardedHandler {
    /** Made by the service registry. */
    @Activate
    public AlterPartitionReassignmentsHandler(@Reference Forwarding forwarding) {
        super(forwarding);
    }
}
