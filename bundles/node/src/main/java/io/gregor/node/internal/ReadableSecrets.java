package io.gregor.node.internal;

import io.gregor.internal.node.SecretKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.config.SslConfigs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns once, when the node starts, of files with secrets that every user of the machine can read. Stateless. */
final class ReadableSecrets {
    private static final Logger LOGGER = LoggerFactory.getLogger(ReadableSecrets.class);

    private ReadableSecrets() {}

    static void warn(Settings settings) {
        readable(settings)
                .forEach((file, what) -> LOGGER.warn(
                        "every user of this machine can read {}: file={}, close it with chmod o-rwx {}",
                        what,
                        file,
                        file));
    }

    /** The files that everyone can read, and what is secret in them. */
    static Map<Path, String> readable(Settings settings) {
        Map<Path, String> files = files(settings);
        files.keySet().removeIf(file -> !isReadableByAll(file));
        return files;
    }

    private static Map<Path, String> files(Settings settings) {
        Map<Path, String> files = new TreeMap<>();
        settings.literals().keySet().stream()
                .filter(key -> SecretKeys.isSecret(key)
                        && settings.origin(key).equals(settings.file().toString()))
                .findFirst()
                .ifPresent(key -> files.put(settings.file().toAbsolutePath(), "secrets, as " + key));
        settings.values().forEach((key, value) -> {
            if (key.endsWith(SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG) && !value.isBlank()) {
                files.put(Path.of(value.strip()).toAbsolutePath(), "the private key of " + key);
            }
        });
        return files;
    }

    private static boolean isReadableByAll(Path file) {
        try {
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
            return mode.contains(PosixFilePermission.OTHERS_READ);
        } catch (IOException | UnsupportedOperationException unknown) {
            return false;
        }
    }
}
