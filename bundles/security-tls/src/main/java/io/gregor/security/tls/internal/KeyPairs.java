package io.gregor.security.tls.internal;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.util.Collections;
import java.util.Map;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.jspecify.annotations.Nullable;

/** Checks that a key store has private keys, and that each belongs to its certificate. Immutable. */
final class KeyPairs {
    private static final byte[] SIGNED = {1, 2, 3, 4};
    private static final Map<String, String> SIGNATURES = Map.of(
            "RSA", "SHA256withRSA",
            "EC", "SHA256withECDSA",
            "DSA", "SHA256withDSA",
            "EdDSA", "EdDSA",
            "Ed25519", "EdDSA",
            "Ed448", "EdDSA");

    private final Map<String, Object> settings;
    private final StoreFaults faults;

    KeyPairs(Map<String, Object> settings, StoreFaults faults) {
        this.settings = settings;
        this.faults = faults;
    }

    /** Throws a ConfigException that names the fault. */
    void check(KeyStore store) {
        int keys = 0;
        try {
            for (String alias : Collections.list(store.aliases())) {
                if (store.isKeyEntry(alias) && store.getKey(alias, password()) instanceof PrivateKey key) {
                    keys++;
                    checkPair(alias, key, store.getCertificate(alias));
                }
            }
        } catch (UnrecoverableKeyException e) {
            throw faults.ofKeyPassword();
        } catch (KeyStoreException | NoSuchAlgorithmException e) {
            throw faults.of(faults.store(StoreKind.KEY) + " cannot be used: " + StoreFaults.reasons(e));
        }
        if (keys == 0) {
            throw faults.of(faults.store(StoreKind.KEY)
                    + " has no private key: it must have the key that belongs to the certificate of the listener");
        }
    }

    private void checkPair(String alias, PrivateKey key, @Nullable Certificate certificate) {
        if (certificate != null && !isPair(key, certificate.getPublicKey())) {
            throw faults.of(
                    faults.store(StoreKind.KEY) + " has a private key that does not belong to the certificate with it"
                            + " (alias=" + alias + "): both must have been made together");
        }
    }

    /** What cannot be tried, as a key in hardware that signs in its own way only, is taken to be right. */
    private static boolean isPair(PrivateKey key, PublicKey certified) {
        String algorithm = SIGNATURES.get(key.getAlgorithm());
        if (algorithm == null) {
            return true;
        }
        byte[] signature;
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(SIGNED);
            signature = signing.sign();
        } catch (GeneralSecurityException | RuntimeException cannot) {
            return true;
        }
        try {
            Signature verifying = Signature.getInstance(algorithm);
            verifying.initVerify(certified);
            verifying.update(SIGNED);
            return verifying.verify(signature);
        } catch (InvalidKeyException | SignatureException otherKind) {
            return false;
        } catch (NoSuchAlgorithmException cannot) {
            return true;
        }
    }

    /** That of the key, as Kafka takes it. */
    private char @Nullable [] password() {
        Password own = (Password) settings.get(SslConfigs.SSL_KEY_PASSWORD_CONFIG);
        boolean isPem = DefaultSslEngineFactory.PEM_TYPE.equals(settings.get(SslConfigs.SSL_KEYSTORE_TYPE_CONFIG));
        Password password =
                own != null || isPem ? own : (Password) settings.get(SslConfigs.SSL_KEYSTORE_PASSWORD_CONFIG);
        return password == null ? null : password.value().toCharArray();
    }
}
