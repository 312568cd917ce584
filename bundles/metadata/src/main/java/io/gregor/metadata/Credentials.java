package io.gregor.metadata;

import io.gregor.internal.node.NodeConfig;
import io.gregor.metadata.internal.Services;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.security.scram.internals.ScramMechanism;
import org.apache.kafka.common.security.token.delegation.internals.DelegationTokenCache;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.metadata.publisher.DelegationTokenPublisher;
import org.apache.kafka.metadata.publisher.ScramPublisher;
import org.apache.kafka.security.CredentialProvider;
import org.apache.kafka.security.DelegationTokenManager;
import org.apache.kafka.server.config.DelegationTokenManagerConfigs;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/**
 * Who may log in with SCRAM or a delegation token, as the metadata has it: offers Kafka's CredentialProvider and
 * DelegationTokenManager as services from the start, empty until the log is read, and fills them from the metadata. They are
 * here and not with the logins, so that they outlive the update of a security bundle. Immutable.
 */
@Component(service = Credentials.class, immediate = true)
public final class Credentials {
    private static final String NODE_TYPE = "node";

    private final Services services;
    private final List<MetadataPublisher> publishers;

    /** Offers both. */
    @Activate
    public Credentials(BundleContext context, @Reference NodeConfig config, @Reference CountedHealth health) {
        DelegationTokenCache tokens = new DelegationTokenCache(ScramMechanism.mechanismNames());
        CredentialProvider provider = new CredentialProvider(ScramMechanism.mechanismNames(), tokens);
        DelegationTokenManager manager =
                new DelegationTokenManager(new DelegationTokenManagerConfigs(config.values()), tokens);
        publishers = List.of(
                new ScramPublisher(config.nodeId(), health.publishing(), NODE_TYPE, provider),
                new DelegationTokenPublisher(config.nodeId(), health.publishing(), NODE_TYPE, manager));
        services = new Services(context);
        services.add(CredentialProvider.class, provider, Map.of());
        services.add(DelegationTokenManager.class, manager, Map.of());
    }

    /** What keeps both true: called before all that lets clients in. */
    List<MetadataPublisher> publishers() {
        return publishers;
    }

    /** Takes both back. */
    @Deactivate
    void deactivate() {
        services.close();
    }
}
