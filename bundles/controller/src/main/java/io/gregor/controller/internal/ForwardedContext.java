package io.gregor.controller.internal;

import java.net.InetAddress;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;

/** The context of a request that a broker forwards: its client, over the broker's connection. Immutable. */
public final class ForwardedContext extends RequestContext {
    public ForwardedContext(
            RequestContext envelope, RequestHeader header, InetAddress client, KafkaPrincipal principal) {
        super(
                header,
                envelope.connectionId,
                client,
                principal,
                envelope.listenerName,
                envelope.securityProtocol,
                ClientInformation.EMPTY,
                envelope.fromPrivilegedListener);
    }
}
