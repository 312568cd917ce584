package io.gregor.security.sasl.internal;

import io.gregor.api.security.ListenerSecurity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.internals.BrokerSecurityConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.security.scram.internals.ScramMechanism;
import org.apache.kafka.common.security.token.delegation.internals.DelegationTokenCache;
import org.apache.kafka.security.CredentialProvider;

/** Listeners with the name EXT, as transport tells of them. No state. */
final class TestListener {
    static final String MODULES = "org.apache.kafka.common.security.";

    private TestListener() {}

    /** Settings of these mechanisms, then of these keys and values. */
    static Map<String, Object> settings(List<String> mechanisms, Object... more) {
        Map<String, Object> settings = new HashMap<>(BrokerSecurityConfigs.CONFIG_DEF.parse(Map.of()));
        settings.put("sasl.enabled.mechanisms", mechanisms);
        settings.put(
                "plain.sasl.jaas.config",
                new Password(MODULES + "plain.PlainLoginModule required user_alice=\"alice-secret\""
                        + " user_bob=\"bob-secret\";"));
        settings.put("scram-sha-256.sasl.jaas.config", new Password(MODULES + "scram.ScramLoginModule required;"));
        settings.put(
                "oauthbearer.sasl.jaas.config",
                new Password(MODULES + "oauthbearer.OAuthBearerLoginModule required"
                        + " unsecuredLoginStringClaim_sub=\"node\";"));
        for (int index = 0; index < more.length; index += 2) {
            settings.put(more[index].toString(), more[index + 1]);
        }
        return settings;
    }

    static Mechanisms mechanisms(Map<String, Object> settings) {
        return Mechanisms.of(security(settings), credentials());
    }

    private static ListenerSecurity security(Map<String, Object> settings) {
        return new ListenerSecurity(new ListenerName("EXT"), SecurityProtocol.SASL_PLAINTEXT, settings);
    }

    private static CredentialProvider credentials() {
        return new CredentialProvider(
                ScramMechanism.mechanismNames(), new DelegationTokenCache(ScramMechanism.mechanismNames()));
    }

    /** A listener with PLAIN, and these keys and values. */
    static ListenerSasl plain(Object... more) {
        Map<String, Object> settings = settings(List.of("PLAIN"), more);
        return new ListenerSasl(security(settings), mechanisms(settings));
    }
}
