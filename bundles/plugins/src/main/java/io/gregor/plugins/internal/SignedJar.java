package io.gregor.plugins.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.CodeSigner;
import java.util.Collections;
import java.util.Locale;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** Every entry of a jar must be signed by somebody whom the operator trusts. Immutable. */
final class SignedJar implements JarCheck {
    private static final String META = "META-INF/";

    private final TrustedSigners trusted;
    private final String store;
    private final String advice;

    /**
     * By the certificates of a store.
     *
     * @param store its key and value, for messages
     */
    SignedJar(TrustedSigners trusted, String store) {
        this.trusted = trusted;
        this.store = store;
        this.advice = "sign it with jarsigner -keystore STORE JAR ALIAS, by a certificate that is in " + store
                + " or that one in it vouches for, and drop it again";
    }

    @Override
    public void check(Path jar) throws RefusedJar, IOException {
        boolean isAnythingSigned = false;
        try (JarFile file = new JarFile(jar.toFile(), true)) {
            for (JarEntry entry : Collections.list(file.entries())) {
                if (!entry.isDirectory() && !isOfSignature(entry.getName())) {
                    check(file, entry);
                    isAnythingSigned = true;
                }
            }
        } catch (SecurityException broken) {
            throw new RefusedJar("its signature does not fit its content: " + broken.getMessage(), advice);
        }
        if (!isAnythingSigned) {
            throw new RefusedJar("nothing in it is signed", advice);
        }
    }

    private void check(JarFile file, JarEntry entry) throws RefusedJar, IOException {
        try (InputStream content = file.getInputStream(entry)) {
            content.transferTo(OutputStream.nullOutputStream());
        }
        CodeSigner[] signers = entry.getCodeSigners();
        if (signers == null) {
            throw new RefusedJar("it is not signed: entry=" + entry.getName(), advice);
        }
        for (CodeSigner signer : signers) {
            if (trusted.vouchFor(signer)) {
                return;
            }
        }
        throw new RefusedJar(
                "it is signed by somebody whom " + store + " does not vouch for: entry=" + entry.getName(), advice);
    }

    /** The manifest, whose main part the signature covers, and the signatures themselves. */
    private static boolean isOfSignature(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        if (!upper.startsWith(META) || upper.indexOf('/', META.length()) >= 0) {
            return false;
        }
        return upper.equals(JarFile.MANIFEST_NAME)
                || upper.startsWith(META + "SIG-")
                || upper.endsWith(".SF")
                || upper.endsWith(".RSA")
                || upper.endsWith(".DSA")
                || upper.endsWith(".EC");
    }
}
