package io.gregor.security.sasl;

import io.gregor.api.security.Authenticators;
import io.gregor.api.security.ListenerAuthenticator;
import io.gregor.api.security.ListenerSecurity;
import io.gregor.security.sasl.internal.ListenerSasl;
import io.gregor.security.sasl.internal.Mechanisms;
import org.apache.kafka.security.CredentialProvider;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** The authenticator of SASL_PLAINTEXT and SASL_SSL: Kafka's own, with the mechanisms that a listener names. Immutable. */
@Component(property = Authenticators.AUTHENTICATOR + "=" + Authenticators.SASL)
public final class SaslAuthenticators implements Authenticators {
    private final CredentialProvider credentials;

    /** Of clients that these credentials know, as far as a mechanism asks for them. */
    @Activate
    public SaslAuthenticators(@Reference CredentialProvider credentials) {
        this.credentials = credentials;
    }

    @Override
    public ListenerAuthenticator forListener(ListenerSecurity security) {
        return new ListenerSasl(security, Mechanisms.of(security, credentials));
    }
}
