package io.gregor.security.sasl.internal;

import io.gregor.api.security.ListenerAuthenticator;
import io.gregor.api.security.ListenerSecurity;
import io.gregor.api.security.SecuredConnection;
import java.util.Map;
import org.apache.kafka.common.config.internals.BrokerSecurityConfigs;
import org.apache.kafka.common.errors.BrokerNotAvailableException;
import org.apache.kafka.common.network.Authenticator;
import org.apache.kafka.common.network.TransportLayer;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.security.authenticator.SaslServerAuthenticator;
import org.apache.kafka.common.utils.Time;

/** Authenticates the connections of one listener with its mechanisms. Immutable. */
public final class ListenerSasl implements ListenerAuthenticator {
    private final ListenerSecurity security;
    private final Mechanisms mechanisms;
    private final int maxFrameBytes;

    /** With these mechanisms, which are its own from now on. */
    public ListenerSasl(ListenerSecurity security, Mechanisms mechanisms) {
        this.security = security;
        this.mechanisms = mechanisms;
        Object bytes = security.settings().get(BrokerSecurityConfigs.SASL_SERVER_MAX_RECEIVE_SIZE_CONFIG);
        this.maxFrameBytes =
                bytes instanceof Integer size ? size : BrokerSecurityConfigs.DEFAULT_SASL_SERVER_MAX_RECEIVE_SIZE;
    }

    @Override
    public Authenticator open(TransportLayer layer, SecuredConnection connection) {
        return new SaslConnection(
                connection,
                layer,
                maxFrameBytes,
                held -> kafkas(held, connection, TlsPrincipals.settings(security.settings(), layer)));
    }

    @Override
    public void close() {
        mechanisms.close();
    }

    private SaslServerAuthenticator kafkas(TransportLayer held, SecuredConnection connection, Map<String, ?> settings) {
        return new SaslServerAuthenticator(
                settings,
                mechanisms.handlers(),
                connection.id(),
                mechanisms.subjects(),
                mechanisms.kerberosNames(),
                security.listener(),
                security.protocol(),
                held,
                mechanisms.maxReauthenticationMs(),
                connection.facts(),
                Time.SYSTEM,
                version -> versions(connection, version));
    }

    private static ApiVersionsResponse versions(SecuredConnection connection, short version) {
        try {
            return connection.apiVersions(version);
        } catch (IllegalStateException e) {
            throw new BrokerNotAvailableException(e.getMessage(), e);
        }
    }
}
