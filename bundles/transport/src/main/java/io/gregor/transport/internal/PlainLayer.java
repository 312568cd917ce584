package io.gregor.transport.internal;

import io.gregor.api.security.ChannelLayer;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import org.apache.kafka.common.network.PlaintextTransportLayer;
import org.apache.kafka.common.network.TransportLayer;

/** The layer that changes nothing: Kafka's plaintext layer. Immutable. */
public final class PlainLayer implements ChannelLayer {
    @Override
    public TransportLayer open(SelectionKey key, String connectionId) throws IOException {
        return new PlaintextTransportLayer(key);
    }
}
