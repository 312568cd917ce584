package io.gregor.api.security;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Makes the authenticator of a listener. An OSGi service with the property {@link #AUTHENTICATOR}.
 */
@ConsumerType
public interface Authenticators {
    /** Service property: {@link #NONE}, {@link #SASL} or the name of a plugin's own authenticator. */
    String AUTHENTICATOR = "authenticator";

    /** No authentication beyond that of the channel layer: PLAINTEXT and SSL. */
    String NONE = "none";

    /** SASL: SASL_PLAINTEXT and SASL_SSL. */
    String SASL = "sasl";

    /**
     * Prepares the authenticator for one listener. Called on a configuring thread; may block for I/O.
     *
     * @param security the listener and its settings
     * @return the authenticator of that listener
     * @throws org.apache.kafka.common.config.ConfigException if a setting is wrong; the listener is then not opened
     */
    ListenerAuthenticator forListener(ListenerSecurity security);
}
