package io.gregor.itest.security;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Who is trusted, as files and as a context of the JDK. */
public final class TestStores {
    private static final char[] PASSWORD = TestKey.PASSWORD.toCharArray();

    private TestStores() {}

    /** Writes a PKCS12 trust store, in one step if there was a file before; its password is {@link TestKey#PASSWORD}. */
    public static Path trustPkcs12(Path file, X509Certificate... trusted) {
        return write(file, trust("PKCS12", trusted));
    }

    /** Writes a JKS trust store. */
    public static Path trustJks(Path file, X509Certificate... trusted) {
        return write(file, trust("JKS", trusted));
    }

    /** Writes the certificates one behind the other. */
    public static Path trustPem(Path file, X509Certificate... trusted) {
        return write(file, Arrays.stream(trusted).map(TestStores::pem).collect(Collectors.joining()));
    }

    /** Of a client without a certificate that trusts these authorities. */
    public static SSLContext trusting(X509Certificate... trusted) {
        return context(null, trusted);
    }

    static SSLContext context(@Nullable KeyStore keys, X509Certificate... trusted) {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trust("PKCS12", trusted));
            KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            own.init(keys, PASSWORD);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException fault) {
            throw new IllegalStateException(fault);
        }
    }

    private static KeyStore trust(String type, X509Certificate... trusted) {
        try {
            KeyStore store = KeyStore.getInstance(type);
            store.load(null, null);
            for (X509Certificate certificate : trusted) {
                store.setCertificateEntry(certificate.getSubjectX500Principal().getName(), certificate);
            }
            return store;
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        } catch (GeneralSecurityException fault) {
            throw new IllegalStateException(fault);
        }
    }

    /** The certificate as text. */
    public static String pem(X509Certificate certificate) {
        try {
            return pem("CERTIFICATE", certificate.getEncoded());
        } catch (CertificateEncodingException fault) {
            throw new IllegalStateException(fault);
        }
    }

    static String pem(String what, byte[] bytes) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n";
    }

    static Path write(Path file, KeyStore store) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            store.store(bytes, PASSWORD);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        } catch (GeneralSecurityException fault) {
            throw new IllegalStateException(fault);
        }
        return write(file, bytes.toByteArray());
    }

    static Path write(Path file, String text) {
        return write(file, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static Path write(Path file, byte[] bytes) {
        try {
            Files.createDirectories(file.getParent());
            Path fresh = file.resolveSibling(file.getFileName() + ".new");
            Files.write(fresh, bytes);
            return Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }
}
