package io.gregor.transport.internal;

import io.gregor.api.security.Authenticators;
import io.gregor.api.security.ChannelLayers;
import io.gregor.internal.plugin.RankedServices;
import io.gregor.internal.plugin.Standing;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.security.auth.KafkaPrincipalBuilder;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.ServiceReference;

/**
 * The channel layers, authenticators and principal builders that are there; a security protocol is one of each of the first
 * two. Shared: any thread. Of several with the same name the one that ranks highest is
 * taken, from a bundle that is used, if one is.
 */
public final class SecurityServices {
    private final Map<String, RankedServices<ChannelLayers>> layers = new ConcurrentHashMap<>();
    private final Map<String, RankedServices<Authenticators>> authenticators = new ConcurrentHashMap<>();
    private final RankedServices<KafkaPrincipalBuilder> principals = new RankedServices<>();
    private volatile Map<Long, Standing> standings = Map.of();

    /** How bundles stand that are not live. */
    public void stand(Map<Long, Standing> next) {
        standings = Map.copyOf(next);
    }

    private boolean isUsed(long bundleId) {
        return standings.getOrDefault(bundleId, Standing.LIVE).isUsed();
    }

    /** A layer came. */
    public void addLayers(ServiceReference<ChannelLayers> reference, ChannelLayers service) {
        named(layers, reference.getProperty(ChannelLayers.LAYER)).add(reference, service);
    }

    /** A layer went. */
    public void removeLayers(ServiceReference<ChannelLayers> reference) {
        layers.values().forEach(services -> services.remove(reference));
    }

    /** An authenticator came. */
    public void addAuthenticators(ServiceReference<Authenticators> reference, Authenticators service) {
        named(authenticators, reference.getProperty(Authenticators.AUTHENTICATOR))
                .add(reference, service);
    }

    /** An authenticator went. */
    public void removeAuthenticators(ServiceReference<Authenticators> reference) {
        authenticators.values().forEach(services -> services.remove(reference));
    }

    /** A principal builder came. */
    public void addPrincipals(ServiceReference<KafkaPrincipalBuilder> reference, KafkaPrincipalBuilder service) {
        principals.add(reference, service);
    }

    /** A principal builder went. */
    public void removePrincipals(ServiceReference<KafkaPrincipalBuilder> reference) {
        principals.remove(reference);
    }

    private static <S> RankedServices<S> named(Map<String, RankedServices<S>> all, @Nullable Object name) {
        return all.computeIfAbsent(String.valueOf(name), none -> new RankedServices<>());
    }

    /** The parts that a listener needs, if all are there. */
    Optional<SecurityParts> of(SecurityProtocol protocol, ListenerSettings settings) {
        ChannelLayers layer = first(layers, layerName(protocol, settings));
        String authenticatorName = authenticatorName(protocol, settings);
        Authenticators authenticator = first(authenticators, authenticatorName);
        return layer == null || authenticator == null
                ? Optional.empty()
                : Optional.of(new SecurityParts(
                        layer,
                        authenticator,
                        authenticatorName,
                        settings.hasPrincipalBuilder() ? null : principals.first(this::isUsed)));
    }

    /** What a listener lacks, for the operator. */
    String missing(SecurityProtocol protocol, ListenerSettings settings) {
        String layer = layerName(protocol, settings);
        String authenticator = authenticatorName(protocol, settings);
        boolean hasLayer = first(layers, layer) != null;
        boolean hasAuthenticator = first(authenticators, authenticator) != null;
        return (hasLayer ? "" : ChannelLayers.LAYER + "=" + layer)
                + (hasLayer || hasAuthenticator ? "" : " and ")
                + (hasAuthenticator ? "" : Authenticators.AUTHENTICATOR + "=" + authenticator);
    }

    private static String layerName(SecurityProtocol protocol, ListenerSettings settings) {
        if (!settings.channelLayer().isEmpty()) {
            return settings.channelLayer();
        }
        return switch (protocol) {
            case PLAINTEXT, SASL_PLAINTEXT -> ChannelLayers.PLAIN;
            case SSL, SASL_SSL -> ChannelLayers.TLS;
        };
    }

    private static String authenticatorName(SecurityProtocol protocol, ListenerSettings settings) {
        if (!settings.authenticator().isEmpty()) {
            return settings.authenticator();
        }
        return switch (protocol) {
            case PLAINTEXT, SSL -> Authenticators.NONE;
            case SASL_PLAINTEXT, SASL_SSL -> Authenticators.SASL;
        };
    }

    private <S> @Nullable S first(Map<String, RankedServices<S>> all, String name) {
        RankedServices<S> services = all.get(name);
        return services == null ? null : services.first(this::isUsed);
    }
}
