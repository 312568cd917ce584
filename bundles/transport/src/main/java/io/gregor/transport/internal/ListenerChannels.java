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
record ListenerChannels(
        ListenerSecurity security,
        boolean isPrivileged,
        InUse<ChannelLayer> layer,
        InUse<ListenerAuthenticator> authenticator,
        SecurityParts parts) {
    ListenerName listener() {
        return security.listener();
    }

    /** A new connection uses both; false if they are closed, since the listener has others. */
    boolean tryUse() {
        if (!layer.tryUse()) {
            return false;
        }
        if (!authenticator.tryUse()) {
            layer.release();
            return false;
        }
        return true;
    }

    /** A connection that was not made does not use them. */
    void release() {
        authenticator.release();
        layer.release();
    }

    /** The listener makes no new connections with them; again has no effect. A configuring thread. */
    void giveUp() {
        authenticator.giveUp();
        layer.giveUp(ChannelLayer::retire);
    }

    /** Whether the authenticators of both may take over from each other. */
    boolean authenticatesLike(ListenerChannels other) {
        return parts.authenticatorName().equals(other.parts.authenticatorName());
    }
}
