package io.gregor.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretKeysTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ssl.keystore.password",
                "ssl.keystore.key",
                "ssl.keystore.certificate.chain",
                "delegation.token.secret.key",
                "listener.name.external.ssl.key.password",
                "listener.name.external.plain.sasl.jaas.config",
                "listener.name.external.oauthbearer.sasl.oauthbearer.client.credentials.client.secret",
                "vault.access.token",
                "my.privatekey",
                "other.password"
            })
    void passwordsAreSecret(String key) {
        assertThat(SecretKeys.isSecret(key)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ssl.keystore.location",
                "listener.name.external.oauthbearer.sasl.oauthbearer.token.endpoint.url",
                "delegation.token.expiry.time.ms",
                "gregor.plugins.signature",
                "num.io.threads",
                "audit.file"
            })
    void theRestIsShown(String key) {
        assertThat(SecretKeys.isSecret(key)).isFalse();
    }
}
