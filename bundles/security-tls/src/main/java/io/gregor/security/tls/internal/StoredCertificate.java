package io.gregor.security.tls.internal;

import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.common.security.auth.SslEngineFactory;

/**
 * A certificate of a store. Immutable.
 *
 * @param alias its name there; those of a chain behind its first one have a number
 */
record StoredCertificate(StoreKind kind, String alias, X509Certificate certificate) {
    /** All that are in use. */
    static List<StoredCertificate> of(SslEngineFactory engines) throws KeyStoreException {
        List<StoredCertificate> found = new ArrayList<>();
        for (StoreKind kind : StoreKind.values()) {
            KeyStore store = kind.of(engines);
            if (store != null) {
                for (String alias : Collections.list(store.aliases())) {
                    add(found, kind, store, alias);
                }
            }
        }
        return List.copyOf(found);
    }

    private static void add(List<StoredCertificate> found, StoreKind kind, KeyStore store, String alias)
            throws KeyStoreException {
        Certificate[] chain = store.getCertificateChain(alias);
        Certificate[] all = chain != null ? chain : new Certificate[] {store.getCertificate(alias)};
        for (int i = 0; i < all.length; i++) {
            if (all[i] instanceof X509Certificate certificate) {
                found.add(new StoredCertificate(kind, i == 0 ? alias : alias + "[" + i + "]", certificate));
            }
        }
    }

    /** Whose it is. */
    String subject() {
        return certificate.getSubjectX500Principal().getName();
    }

    /** Its number. */
    String serial() {
        return certificate.getSerialNumber().toString(16);
    }

    /** Until when it is valid. */
    long notAfterMs() {
        return certificate.getNotAfter().toInstant().toEpochMilli();
    }
}
