package io.gregor.itest.security;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

/**
 * A private key with its certificate, and as files in the forms that Kafka reads. Immutable.
 *
 * @param chain the certificate of the key first, that of its authority last
 */
public record TestKey(PrivateKey key, List<X509Certificate> chain) {
    /** Of every store and every key in it. */
    public static final String PASSWORD = "store-secret";

    /** Its own certificate. */
    public X509Certificate certificate() {
        return chain.get(0);
    }

    /** Writes it as a PKCS12 store, in one step if there was a file before. */
    public Path pkcs12(Path file) {
        return TestStores.write(file, store("PKCS12"));
    }

    /** Writes it as a JKS store. */
    public Path jks(Path file) {
        return TestStores.write(file, store("JKS"));
    }

    /** Writes {@link #pem} to a file; OpenSSL reads the key as well as the chain from it. */
    public Path pem(Path file) {
        return TestStores.write(file, pem());
    }

    /** The key, not encrypted, and the chain. */
    public String pem() {
        return keyPem() + chainPem();
    }

    /** The key alone: {@code ssl.keystore.key}. */
    public String keyPem() {
        return TestStores.pem("PRIVATE KEY", key.getEncoded());
    }

    /** The chain alone: {@code ssl.keystore.certificate.chain}. */
    public String chainPem() {
        return chain.stream().map(TestStores::pem).collect(Collectors.joining());
    }

    /** Of a client or a node with this key that trusts these authorities. */
    public SSLContext context(X509Certificate... trusted) {
        return TestStores.context(store("PKCS12"), trusted);
    }

    private KeyStore store(String type) {
        try {
            KeyStore store = KeyStore.getInstance(type);
            store.load(null, null);
            store.setKeyEntry("key", key, PASSWORD.toCharArray(), chain.toArray(Certificate[]::new));
            return store;
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        } catch (GeneralSecurityException fault) {
            throw new IllegalStateException(fault);
        }
    }
}
