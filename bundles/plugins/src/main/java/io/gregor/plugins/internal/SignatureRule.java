package io.gregor.plugins.internal;

import io.gregor.internal.node.GregorConfigs;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/**
 * Whether jars must be signed, as {@code gregor.plugin.truststore.location} says. Immutable.
 *
 * @param check what each jar must pass
 * @param fault why the store cannot be used, for the operator; empty if it can. No jar passes then
 */
public record SignatureRule(JarCheck check, String fault) {
    /**
     * Reads the settings and the store.
     *
     * @param framework the launcher's properties
     */
    public static SignatureRule of(UnaryOperator<@Nullable String> framework) {
        AbstractConfig settings;
        try {
            settings = EarlySettings.read(framework);
        } catch (ConfigException wrong) {
            return faulty(String.valueOf(wrong.getMessage()));
        }
        String location = settings.getString(GregorConfigs.PLUGIN_TRUSTSTORE_LOCATION_CONFIG);
        if (location == null || location.isBlank()) {
            return new SignatureRule(jar -> {}, "");
        }
        String named = GregorConfigs.PLUGIN_TRUSTSTORE_LOCATION_CONFIG + "=" + location;
        String type = settings.getString(GregorConfigs.PLUGIN_TRUSTSTORE_TYPE_CONFIG);
        Password password = settings.getPassword(GregorConfigs.PLUGIN_TRUSTSTORE_PASSWORD_CONFIG);
        try {
            TrustedSigners trusted = TrustedSigners.read(
                    Path.of(location),
                    type,
                    password == null ? null : password.value().toCharArray());
            return new SignatureRule(new SignedJar(trusted, named), "");
        } catch (IOException | GeneralSecurityException | RuntimeException unusable) {
            return faulty(
                    named + " cannot be used as a store of certificates: " + unusable + "; see that it can be read, "
                            + GregorConfigs.PLUGIN_TRUSTSTORE_TYPE_CONFIG + "=" + type + " and "
                            + GregorConfigs.PLUGIN_TRUSTSTORE_PASSWORD_CONFIG);
        }
    }

    private static SignatureRule faulty(String fault) {
        return new SignatureRule(
                jar -> {
                    throw new RefusedJar(fault, "mend the setting and start the node again");
                },
                fault);
    }
}
