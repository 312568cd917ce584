package io.gregor.transport.internal;

import io.gregor.api.security.ChannelLayer;
import io.gregor.api.security.ListenerAuthenticator;
import io.gregor.api.security.ListenerSecurity;
import org.apache.kafka.common.network.ListenerName;

/**
 * What each new connection of a listener gets. Immutable; a change of the listener's security is another object.
 *
 * @param security the listener, its protocol and settings
 * @param isPrivileged whether forwarded requests are taken
 * @param layer puts the channel layer onto a socket
 * @param authenticator authenticates the client
 * @param parts the services that made both
 */
public record ListenerChannels(
        ListenerSecurity security,
        boolean isPrivileged,
        ChannelLayer layer,
        ListenerAuthenticator authenticator,
        SecurityParts parts) {
    ListenerName listener() {
        return security.listener();
    }
}
