package io.gregor.internal.node;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.server.config.AbstractKafkaConfig;

/**
 * Which settings are secret, in one place for all who show or log them: those that Kafka's definition calls passwords, be they
 * of one listener or mechanism, and of keys that no definition has those that sound like one. Immutable.
 */
public final class SecretKeys {
    /** Stands for a value that is not shown. */
    public static final String HIDDEN = "[hidden]";

    private static final Map<String, ConfigDef.ConfigKey> KNOWN =
            GregorConfigs.addTo(new ConfigDef(AbstractKafkaConfig.CONFIG_DEF)).configKeys();
    private static final Pattern OF_LISTENER = Pattern.compile("listener\\.name\\.[^.]+\\.(.+)");
    private static final Pattern OF_MECHANISM = Pattern.compile("[^.]+\\.(.+)");
    private static final Pattern SOUNDS_SECRET =
            Pattern.compile("password|passphrase|secret|token|jaas|credential|keystore\\.key|private\\.?key");

    private SecretKeys() {}

    /** Whether the value of this key is not to be shown. Any thread. */
    public static boolean isSecret(String key) {
        ConfigDef.ConfigKey known = KNOWN.get(key);
        Matcher ofListener = OF_LISTENER.matcher(key);
        if (known == null && ofListener.matches()) {
            String bare = ofListener.group(1);
            Matcher ofMechanism = OF_MECHANISM.matcher(bare);
            known = KNOWN.get(bare);
            if (known == null && ofMechanism.matches()) {
                known = KNOWN.get(ofMechanism.group(1));
            }
        }
        return known == null
                ? SOUNDS_SECRET.matcher(key.toLowerCase(Locale.ROOT)).find()
                : known.type == ConfigDef.Type.PASSWORD;
    }
}
