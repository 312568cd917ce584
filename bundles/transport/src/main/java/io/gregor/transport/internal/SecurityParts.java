package io.gregor.transport.internal;

import io.gregor.api.security.Authenticators;
import io.gregor.api.security.ChannelLayers;
import io.gregor.api.security.ListenerSecurity;
import java.util.Collections;
import org.apache.kafka.common.security.auth.KafkaPrincipalBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The services that a listener's connections are made with. Immutable.
 *
 * @param authenticatorName the name of the second
 * @param principals null if the listener has a principal builder of its own, or no bundle offers one
 */
record SecurityParts(
        ChannelLayers layers,
        Authenticators authenticators,
        String authenticatorName,
        @Nullable KafkaPrincipalBuilder principals) {
    /** What layer and authenticator are told about the listener. */
    ListenerSecurity told(ListenerSecurity security) {
        return principals == null
                ? security
                : new ListenerSecurity(
                        security.listener(),
                        security.protocol(),
                        Collections.unmodifiableMap(ServicePrincipals.settings(security.settings(), principals)));
    }

    /** Whether these are the very same services. */
    boolean areSame(@Nullable SecurityParts other) {
        return other != null
                && layers == other.layers
                && authenticators == other.authenticators
                && principals == other.principals;
    }
}
