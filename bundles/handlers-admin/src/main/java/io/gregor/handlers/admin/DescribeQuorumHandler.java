package io.gregor.handlers.admin;

import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.broker.Forwarding;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** DescribeQuorum: the leader of the Raft quorum tells its state (KIP-595, KIP-853). Immutable. */
@Component(service = RequestHandler.class)
@ServesApi(api_key = 55, api_brief = true)
public final class DescribeQuorumHandler extends ForwardedHandler {
    /** Made by the service registry. */
    @Activate
    public DescribeQuorumHandler(@Reference Forwarding forwarding) {
        super(forwarding);
    }
}
