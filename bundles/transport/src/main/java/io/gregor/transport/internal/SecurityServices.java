package io.gregor.transport.internal;

import io.gregor.api.security.Authenticators;
import io.gregor.api.security.ChannelLayers;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.osgi.framework.ServiceReference;

/**
 * The channel layers and authenticators that are there; a security protocol is one of each. Shared: any thread. Of several
 * with the same name the one that ranks highest is taken.
 */
public final class SecurityServices {
    private final Map<ServiceReference<ChannelLayers>, ChannelLayers> layers = new ConcurrentSkipListMap<>();
    private final Map<ServiceReference<Authenticators>, Authenticators> authenticators = new ConcurrentSkipListMap<>();

    /** The two parts of a protocol. Immutable. */
    public record Pair(ChannelLayers layers, Authenticators authenticators) {}

    /** A layer came. */
    public void addLayers(ServiceReference<ChannelLayers> reference, ChannelLayers service) {
        layers.put(reference, service);
    }

    /** A layer went. */
    public void removeLayers(ServiceReference<ChannelLayers> reference) {
        layers.remove(reference);
    }

    /** An authenticator came. */
    public void addAuthenticators(ServiceReference<Authenticators> reference, Authenticators service) {
        authenticators.put(reference, service);
    }

    /** An authenticator went. */
    public void removeAuthenticators(ServiceReference<Authenticators> reference) {
        authenticators.remove(reference);
    }

    /** The parts of a protocol, if both are there. */
    public Optional<Pair> of(SecurityProtocol protocol) {
        Optional<ChannelLayers> layer = highest(layers, ChannelLayers.LAYER, layerName(protocol));
        Optional<Authenticators> authenticator =
                highest(authenticators, Authenticators.AUTHENTICATOR, authenticatorName(protocol));
        return layer.flatMap(found -> authenticator.map(other -> new Pair(found, other)));
    }

    /** What a protocol lacks, for the operator. */
    public String missing(SecurityProtocol protocol) {
        boolean hasLayer =
                highest(layers, ChannelLayers.LAYER, layerName(protocol)).isPresent();
        boolean hasAuthenticator = highest(authenticators, Authenticators.AUTHENTICATOR, authenticatorName(protocol))
                .isPresent();
        String layer = hasLayer ? "" : ChannelLayers.LAYER + "=" + layerName(protocol);
        String authenticator = hasAuthenticator ? "" : Authenticators.AUTHENTICATOR + "=" + authenticatorName(protocol);
        return layer + (hasLayer || hasAuthenticator ? "" : " and ") + authenticator;
    }

    static String layerName(SecurityProtocol protocol) {
        return switch (protocol) {
            case PLAINTEXT, SASL_PLAINTEXT -> ChannelLayers.PLAIN;
            case SSL, SASL_SSL -> ChannelLayers.TLS;
        };
    }

    static String authenticatorName(SecurityProtocol protocol) {
        return switch (protocol) {
            case PLAINTEXT, SSL -> Authenticators.NONE;
            case SASL_PLAINTEXT, SASL_SSL -> Authenticators.SASL;
        };
    }

    private static <S> Optional<S> highest(Map<ServiceReference<S>, S> services, String property, String name) {
        S last = null;
        for (Map.Entry<ServiceReference<S>, S> entry : services.entrySet()) {
            if (name.equals(entry.getKey().getProperty(property))) {
                last = entry.getValue();
            }
        }
        return Optional.ofNullable(last);
    }
}
