package io.gregor.transport.internal;

import io.gregor.api.security.ChannelLayer;
import io.gregor.api.security.SecuredConnection;
import java.io.IOException;
import org.apache.kafka.common.network.PlaintextTransportLayer;
import org.apache.kafka.common.network.TransportLayer;

/** The layer that changes nothing: Kafka's plaintext layer. Immutable. */
public final class PlainLayer implements ChannelLayer {
    @Override
    public TransportLayer open(SecuredConnection connection) throws IOException {
        return new PlaintextTransportLayer(connection.key());
    }
}
