package io.gregor.security.tls.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreReadingTest {
    private static final String SECRET = "s3cr3t-of-store";

    @TempDir
    Path folder;

    @Test
    void readsPemFromFilesAndFromTheConfiguration() throws IOException {
        Stores fromFile = read(Map.of("ssl.keystore.location", pem("first")));
        Stores inline = read(Map.of(
                "ssl.keystore.key", Pem.password(Pem.text("first")),
                "ssl.keystore.certificate.chain", Pem.password(Pem.text("first")),
                "ssl.truststore.certificates", Pem.password(Pem.text("authority"))));

        assertThat(fromFile.summary()).startsWith("CN=localhost serial=").endsWith(", trusts 0");
        assertThat(inline.of(StoreKind.TRUST))
                .extracting(StoredCertificate::subject)
                .containsExactly("CN=authority");
        assertThat(inline.of(StoreKind.KEY))
                .extracting(StoredCertificate::alias)
                .containsExactly("kafka", "kafka[1]");
    }

    @Test
    void opensAKeyWithItsPassword() throws IOException {
        String file = pem("encrypted");

        assertThat(read(Map.of("ssl.keystore.location", file, "ssl.key.password", Pem.password("right")))
                        .of(StoreKind.KEY))
                .hasSize(2);
        assertRefused(
                Map.of("ssl.keystore.location", file, "ssl.key.password", Pem.password(SECRET)),
                "ssl.key.password does not open the private key in ssl.keystore.location=" + file);
        if (Runtime.version().feature() < 19) {
            assertRefused(
                    Map.of("ssl.keystore.location", pem("encrypted-pbes2"), "ssl.key.password", Pem.password("right")),
                    "encrypt it with openssl pkcs8");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"JKS", "PKCS12"})
    void readsStoresOfTheJdk(String type) throws Exception {
        String file = store(type, SECRET);

        Stores stores = read(Map.of(
                "ssl.keystore.type",
                type,
                "ssl.keystore.location",
                file,
                "ssl.keystore.password",
                Pem.password(SECRET)));

        assertThat(stores.of(StoreKind.KEY))
                .extracting(StoredCertificate::alias)
                .containsExactly("mine", "mine[1]");
        assertRefused(
                Map.of(
                        "ssl.keystore.type", type,
                        "ssl.keystore.location", file,
                        "ssl.keystore.password", Pem.password("wrong")),
                "ssl.keystore.password does not open ssl.keystore.location=" + file);
    }

    @Test
    void namesAFileThatIsNotThere() {
        assertRefused(
                Map.of("ssl.keystore.location", "/no/such.pem"), "ssl.keystore.location=/no/such.pem does not exist");
        assertRefused(
                Map.of("ssl.keystore.location", folder.toString()),
                "ssl.keystore.location=" + folder + " is a directory, must be a file");
    }

    @Test
    void wantsAKeyStore() {
        assertRefused(Map.of(), "there is no key store: set ssl.keystore.location");
    }

    @Test
    void wantsThePrivateKeyAndThatItBelongsToTheCertificate() throws Exception {
        assertRefused(
                Map.of("ssl.keystore.location", pem("certificate-alone")),
                "No matching PRIVATE KEY entries in PEM file");
        assertRefused(Map.of("ssl.keystore.location", pem("mixed")), "does not belong to the certificate with it");
        String withoutKey = trustStore();
        assertRefused(
                Map.of(
                        "ssl.keystore.type",
                        "PKCS12",
                        "ssl.keystore.location",
                        withoutKey,
                        "ssl.keystore.password",
                        Pem.password(SECRET)),
                "ssl.keystore.location=" + withoutKey + " has no private key");
    }

    @Test
    void namesProtocolsAndCipherSuitesThatThereAreNot() throws IOException {
        assertRefused(
                Map.of("ssl.keystore.location", pem("first"), "ssl.enabled.protocols", List.of("TLSv9")),
                "ssl.enabled.protocols=[TLSv9]");
        assertRefused(
                Map.of("ssl.keystore.location", pem("first"), "ssl.cipher.suites", List.of("NONE_AT_ALL")),
                "ssl.cipher.suites=[NONE_AT_ALL]");
    }

    @Test
    void namesATrustStoreThatIsNone() throws IOException {
        Path none = Files.writeString(folder.resolve("none.pem"), "nothing");

        assertRefused(
                Map.of("ssl.keystore.location", pem("first"), "ssl.truststore.location", none.toString()),
                "ssl.truststore.location=" + none + " cannot be read as a trust store of ssl.truststore.type=PEM");
    }

    @Test
    void namesAnEngineFactoryThatIsNone() {
        assertRefused(
                Map.of("ssl.engine.factory.class", String.class),
                "ssl.engine.factory.class=class java.lang.String must be a class that implements");
    }

    private Stores read(Map<String, Object> settings) {
        return new StoreReading(Pem.listener(settings)).read(5);
    }

    private void assertRefused(Map<String, Object> settings, String part) {
        assertThatThrownBy(() -> read(settings))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(part)
                .hasMessageContaining("listener=SSL")
                .hasMessageNotContaining(SECRET);
    }

    private String pem(String name) throws IOException {
        return Pem.file(folder.resolve(name + ".pem"), name).toString();
    }

    private String store(String type, String password) throws IOException, GeneralSecurityException {
        KeyStore first =
                read(Map.of("ssl.keystore.location", pem("first"))).engines().keystore();
        KeyStore store = KeyStore.getInstance(type);
        store.load(null, null);
        store.setKeyEntry(
                "mine", first.getKey("kafka", null), password.toCharArray(), first.getCertificateChain("kafka"));
        return written(store, type, password);
    }

    private String trustStore() throws IOException, GeneralSecurityException {
        KeyStore first =
                read(Map.of("ssl.keystore.location", pem("first"))).engines().keystore();
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("mine", first.getCertificate("kafka"));
        return written(store, "trust", SECRET);
    }

    private String written(KeyStore store, String name, String password) throws IOException, GeneralSecurityException {
        Path file = folder.resolve(name);
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, password.toCharArray());
        }
        return file.toString();
    }
}
