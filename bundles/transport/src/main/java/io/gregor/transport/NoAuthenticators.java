package io.gregor.transport;

import io.gregor.api.security.Authenticators;
import io.gregor.api.security.ListenerAuthenticator;
import io.gregor.api.security.ListenerSecurity;
import io.gregor.transport.internal.ChannelPrincipal;
import java.util.Map;
import org.apache.kafka.common.config.internals.BrokerSecurityConfigs;
import org.apache.kafka.common.network.ChannelBuilders;
import org.apache.kafka.common.security.ssl.SslPrincipalMapper;
import org.osgi.service.component.annotations.Component;

/** The authenticator of PLAINTEXT and SSL: no more than the channel layer knows, named by the principal builder. Immutable. */
@Component(property = Authenticators.AUTHENTICATOR + "=" + Authenticators.NONE)
public final class NoAuthenticators implements Authenticators {
    @Override
    public ListenerAuthenticator forListener(ListenerSecurity security) {
        Map<String, Object> settings = security.settings();
        Object rules = settings.get(BrokerSecurityConfigs.SSL_PRINCIPAL_MAPPING_RULES_CONFIG);
        SslPrincipalMapper mapper = rules == null ? null : SslPrincipalMapper.fromRules(rules.toString());
        // a builder for each connection, as builders need not be made for several threads
        return (layer, connection) -> new ChannelPrincipal(
                layer,
                ChannelBuilders.createPrincipalBuilder(settings, null, mapper),
                security.listener().value());
    }
}
