package io.gregor.handlers.admin;

import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.broker.Forwarding;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** AddRaftVoter: the leader takes a controller into the quorum (KIP-853). Immutable. */
@Component(service = RequestHandler.class)
@ServesApi(api_key = 80, api_brief = true)
public final class AddRaftVoterHandler extends ForwardedHandler {
    /** Made by the service registry. */
    @Activate
    public AddRaftVoterHandler(@Reference Forwarding forwarding) {
        super(forwarding);
    }
}
