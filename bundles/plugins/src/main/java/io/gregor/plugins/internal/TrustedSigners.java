package io.gregor.plugins.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSigner;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPathValidator;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The certificates of a store, and whom they vouch for. Immutable. */
final class TrustedSigners {
    private final Set<X509Certificate> certificates;

    private TrustedSigners(Set<X509Certificate> certificates) {
        this.certificates = certificates;
    }

    /**
     * Reads a store.
     *
     * @param type JKS, PKCS12, or PEM, which has certificates only
     */
    static TrustedSigners read(Path store, String type, char @Nullable [] password)
            throws IOException, GeneralSecurityException {
        Set<X509Certificate> found = new HashSet<>();
        try (InputStream content = Files.newInputStream(store)) {
            if (type.equals("PEM")) {
                add(CertificateFactory.getInstance("X.509").generateCertificates(content), found);
            } else {
                KeyStore keys = KeyStore.getInstance(type);
                keys.load(content, password);
                for (String alias : Collections.list(keys.aliases())) {
                    add(List.of(keys.getCertificate(alias)), found);
                }
            }
        }
        if (found.isEmpty()) {
            throw new GeneralSecurityException("there is no certificate in it");
        }
        return new TrustedSigners(found);
    }

    private static void add(Iterable<? extends Certificate> certificates, Set<X509Certificate> found) {
        for (Certificate certificate : certificates) {
            if (certificate instanceof X509Certificate x509) {
                found.add(x509);
            }
        }
    }

    /** Whether a signer's certificate is one of these, or one of these vouches for it, at the time of the signature. */
    boolean vouchFor(CodeSigner signer) {
        Instant when = signer.getTimestamp() == null
                ? Instant.now()
                : signer.getTimestamp().getTimestamp().toInstant();
        List<X509Certificate> path = new ArrayList<>();
        for (Certificate certificate : signer.getSignerCertPath().getCertificates()) {
            if (!(certificate instanceof X509Certificate x509)) {
                return false;
            }
            if (certificates.contains(x509)) {
                return path.isEmpty() ? isValid(x509, when) : isChain(path, when);
            }
            path.add(x509);
        }
        return isChain(path, when);
    }

    private static boolean isValid(X509Certificate certificate, Instant when) {
        try {
            certificate.checkValidity(Date.from(when));
            return true;
        } catch (GeneralSecurityException expired) {
            return false;
        }
    }

    private boolean isChain(List<X509Certificate> path, Instant when) {
        Set<TrustAnchor> anchors = new HashSet<>();
        certificates.forEach(certificate -> anchors.add(new TrustAnchor(certificate, null)));
        try {
            PKIXParameters rules = new PKIXParameters(anchors);
            rules.setRevocationEnabled(false);
            rules.setDate(Date.from(when));
            CertPathValidator.getInstance("PKIX")
                    .validate(CertificateFactory.getInstance("X.509").generateCertPath(path), rules);
            return true;
        } catch (GeneralSecurityException notTrusted) {
            return false;
        }
    }
}
