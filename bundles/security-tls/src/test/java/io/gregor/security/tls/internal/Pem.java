package io.gregor.security.tls.internal;

import io.gregor.api.security.ListenerSecurity;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/** The test's keys and certificates; they are valid for a hundred years. Immutable. */
final class Pem {
    /** Until about when they are valid. */
    static final long HUNDRED_YEARS_MS = 36_500L * 24 * 3600 * 1000;

    private Pem() {}

    /** A text. */
    static String text(String name) {
        try (InputStream in = Objects.requireNonNull(Pem.class.getResourceAsStream(name + ".pem"), name)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same as a file. */
    static Path file(Path file, String name) throws IOException {
        return Files.writeString(file, text(name));
    }

    /** Settings of a listener with Kafka's defaults and these. */
    static ListenerSecurity listener(Map<String, Object> own) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "ssl.protocol", "TLSv1.3",
                "ssl.enabled.protocols", List.of("TLSv1.2", "TLSv1.3"),
                "ssl.cipher.suites", List.of(),
                "ssl.keystore.type", "PEM",
                "ssl.truststore.type", "PEM",
                "ssl.client.auth", "none"));
        settings.putAll(own);
        return new ListenerSecurity(new ListenerName("SSL"), SecurityProtocol.SSL, settings);
    }

    /** The listener with a key store in a file. */
    static ListenerSecurity listener(Path keystore) {
        return listener(Map.of("ssl.keystore.location", keystore.toString()));
    }

    static Password password(String value) {
        return new Password(value);
    }
}
