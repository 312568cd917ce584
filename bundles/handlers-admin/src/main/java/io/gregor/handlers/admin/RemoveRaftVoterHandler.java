package io.gregor.handlers.admin;

import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.broker.Forwarding;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** RemoveRaftVoter: the leader takes a controller out of the quorum (KIP-853). Immutable. */
@Component(service = RequestHandler.class)
@ServesApi(api_key = 81, api_brief = true)
public final class RemoveRaftVoterHandler extends ForwardedHandler {
    /** Made by the service registry. */
    @Activate
    public RemoveRaftVoterHandler(@Reference Forwarding forwarding) {
        super(forwarding);
    }
}
