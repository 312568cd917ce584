package io.gregor.itest.plugins.kinds;

import io.gregor.api.security.ChannelLayer;
import io.gregor.api.security.ChannelLayers;
import io.gregor.api.security.ListenerSecurity;
import org.apache.kafka.common.network.PlaintextTransportLayer;

/** Plain bytes; tells of each connection. */
public final class TellingLayers implements ChannelLayers {
    @Override
    public ChannelLayer forListener(ListenerSecurity security) {
        String listener = security.listener().value();
        return connection -> {
            Told.tell("layer opened for " + listener);
            return new PlaintextTransportLayer(connection.key());
        };
    }
}
