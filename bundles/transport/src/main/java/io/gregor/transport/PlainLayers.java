package io.gregor.transport;

import io.gregor.api.security.ChannelLayer;
import io.gregor.api.security.ChannelLayers;
import io.gregor.api.security.ListenerSecurity;
import io.gregor.transport.internal.PlainLayer;
import org.osgi.service.component.annotations.Component;

/** The channel layer of PLAINTEXT and SASL_PLAINTEXT. Immutable. */
@Component(property = ChannelLayers.LAYER + "=" + ChannelLayers.PLAIN)
public final class PlainLayers implements ChannelLayers {
    private static final ChannelLayer LAYER = new PlainLayer();

    @Override
    public ChannelLayer forListener(ListenerSecurity security) {
        return LAYER;
    }
}
