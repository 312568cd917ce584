package io.gregor.internal.security;

import org.apache.kafka.common.errors.InvalidPrincipalTypeException;
import org.apache.kafka.common.message.CreateDelegationTokenRequestData;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/** Who may ask about delegation tokens, and for whom (KIP-48). Stateless. Shared: any thread. */
public final class TokenRequests {
    private TokenRequests() {}

    /**
     * Whether a client may ask over its own connection: known by SASL or a certificate, and not by a token, which could
     * otherwise prolong itself for ever. If not, the answer is DELEGATION_TOKEN_REQUEST_NOT_ALLOWED.
     */
    public static boolean areAllowed(RequestContext who) {
        boolean isUnknown = who.securityProtocol == SecurityProtocol.PLAINTEXT
                || (who.securityProtocol == SecurityProtocol.SSL && KafkaPrincipal.ANONYMOUS.equals(who.principal));
        return !isUnknown && areAllowedForwarded(who);
    }

    /** The same for what a broker forwards, over its own connection, and has checked otherwise. */
    public static boolean areAllowedForwarded(RequestContext who) {
        return !who.principal.tokenAuthenticated();
    }

    /**
     * Who is to own the token: the one who asks, unless another is named (KIP-373).
     *
     * @throws InvalidPrincipalTypeException if the other is named without type
     */
    public static KafkaPrincipal owner(RequestContext who, CreateDelegationTokenRequestData asked) {
        String name = asked.ownerPrincipalName();
        if (name == null || name.isEmpty()) {
            return who.principal;
        }
        String type = asked.ownerPrincipalType();
        if (type == null) {
            throw new InvalidPrincipalTypeException("the owner has no type: ownerPrincipalName=" + name);
        }
        return new KafkaPrincipal(type, name);
    }
}
