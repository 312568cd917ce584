package io.gregor.api.security;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Makes the channel layer of a listener. An OSGi service with the property {@link #LAYER}.
 */
@ConsumerType
public interface ChannelLayers {
    /** Service property: {@link #PLAIN}, {@link #TLS} or the name of a plugin's own layer. */
    String LAYER = "channel.layer";

    /** The layer of PLAINTEXT and SASL_PLAINTEXT. */
    String PLAIN = "plain";

    /** The layer of SSL and SASL_SSL. */
    String TLS = "tls";

    /**
     * Prepares the layer for one listener: reads its settings and what they name (key stores). Called on a configuring
     * thread; may block for I/O.
     *
     * @param security the listener and its settings
     * @return the layer of that listener
     * @throws org.apache.kafka.common.config.ConfigException if a setting is wrong; the listener is then not opened
     */
    ChannelLayer forListener(ListenerSecurity security);
}
