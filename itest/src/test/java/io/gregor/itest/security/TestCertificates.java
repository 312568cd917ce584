package io.gregor.itest.security;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Keys with certificates of two authorities, made with the JDK's keytool when they are first asked for (about half a second
 * each) and kept as long as the tests run. Shared: any thread.
 */
public final class TestCertificates {
    private static final String AUTHORITY = "authority";
    private static final String OTHER_AUTHORITY = "other-authority";
    private static final String THIS_MACHINE = "san=dns:localhost,ip:127.0.0.1";
    private static final String PASSWORD = "keytool-secret";
    private static final TestCertificates MADE = new TestCertificates();

    private final Map<String, TestKey> keys = new HashMap<>();
    private final Path store;

    private TestCertificates() {
        try {
            Path folder = Files.createTempDirectory("certificates");
            store = folder.resolve("all.p12");
            folder.toFile().deleteOnExit();
            store.toFile().deleteOnExit();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** The authority that everything is signed by if nothing else is said. */
    public static X509Certificate authority() {
        return MADE.authority(AUTHORITY);
    }

    /** An authority of its own. */
    public static X509Certificate otherAuthority() {
        return MADE.authority(OTHER_AUTHORITY);
    }

    /** A node at localhost and 127.0.0.1. */
    public static TestKey server() {
        return server(0);
    }

    /** The same node with another key and certificate for each number. */
    public static TestKey server(int number) {
        return MADE.signed(AUTHORITY, "server-" + number, "localhost", "-ext", THIS_MACHINE);
    }

    /** The same node, signed by the other authority. */
    public static TestKey serverOfOtherAuthority() {
        return MADE.signed(OTHER_AUTHORITY, "other-server", "localhost", "-ext", THIS_MACHINE);
    }

    /** The same node, signed by itself. */
    public static TestKey selfSignedServer() {
        return MADE.key("self-signed-server", "localhost", "-ext", THIS_MACHINE);
    }

    /** The same node; ended yesterday. */
    public static TestKey expiredServer() {
        return MADE.signed(
                AUTHORITY, "expired-server", "localhost", "-ext", THIS_MACHINE, "-startdate", "-3d", "-validity", "2");
    }

    /** A node at {@code kafka.example}. */
    public static TestKey serverElsewhere() {
        return MADE.signed(AUTHORITY, "server-elsewhere", "kafka.example", "-ext", "san=dns:kafka.example");
    }

    /** A client, {@code CN=name}. */
    public static TestKey client(String name) {
        return MADE.signed(AUTHORITY, "client-" + name, name);
    }

    /** A client, {@code CN=name}, signed by the other authority. */
    public static TestKey clientOfOtherAuthority(String name) {
        return MADE.signed(OTHER_AUTHORITY, "other-client-" + name, name);
    }

    /** A client, {@code CN=name}; its certificate ended yesterday. */
    public static TestKey expiredClient(String name) {
        return MADE.signed(AUTHORITY, "expired-client-" + name, name, "-startdate", "-3d", "-validity", "2");
    }

    private X509Certificate authority(String alias) {
        return key(alias, alias, "-ext", "bc:c").chain().get(0);
    }

    private TestKey signed(String authority, String alias, String commonName, String... options) {
        authority(authority);
        return key(
                alias,
                commonName,
                Stream.concat(Stream.of("-signer", authority), Arrays.stream(options))
                        .toArray(String[]::new));
    }

    private synchronized TestKey key(String alias, String commonName, String... options) {
        return keys.computeIfAbsent(alias, absent -> make(absent, commonName, options));
    }

    private TestKey make(String alias, String commonName, String... options) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-alias",
                alias,
                "-dname",
                "CN=" + commonName,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD));
        command.addAll(List.of(options));
        try {
            Process keytool =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(keytool.getInputStream().readAllBytes());
            if (!keytool.waitFor(1, TimeUnit.MINUTES) || keytool.exitValue() != 0) {
                throw new IllegalStateException(String.join(" ", command) + ": " + output);
            }
            return read(alias);
        } catch (IOException | GeneralSecurityException fault) {
            throw new IllegalStateException(fault);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private TestKey read(String alias) throws IOException, GeneralSecurityException {
        KeyStore all = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            all.load(in, PASSWORD.toCharArray());
        }
        return new TestKey(
                (PrivateKey) all.getKey(alias, PASSWORD.toCharArray()),
                Arrays.stream(all.getCertificateChain(alias))
                        .map(X509Certificate.class::cast)
                        .toList());
    }
}
