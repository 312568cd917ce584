package io.gregor.internal.security;

import org.apache.kafka.common.security.authenticator.SaslServerAuthenticator;

/**
 * The authenticator of a SASL connection, which has Kafka's within. Kafka's is asked for when the client authenticates again
 * (KIP-368) and another one, maybe of a newer bundle, takes its place. Owned by the processor thread of its connection.
 */
public interface SaslAuthentication {
    /** Kafka's own. */
    SaslServerAuthenticator kafkas();
}
