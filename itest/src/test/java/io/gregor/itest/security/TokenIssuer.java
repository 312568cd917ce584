package io.gregor.itest.security;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;

/** Signs tokens of OAUTHBEARER with a key of its own (RS256), and shows its public key as a JWKS file. Immutable. */
final class TokenIssuer {
    static final String ISSUER = "https://issuer.test";
    static final String AUDIENCE = "gregor";

    private static final String KEY_ID = "one";

    private final KeyPair keys;

    TokenIssuer() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        keys = generator.generateKeyPair();
    }

    /** Writes its public key. */
    Path jwks(Path file) throws IOException {
        RSAPublicKey key = (RSAPublicKey) keys.getPublic();
        Files.createDirectories(file.getParent());
        return Files.writeString(
                file,
                "{\"keys\":[{\"kty\":\"RSA\",\"use\":\"sig\",\"alg\":\"RS256\",\"kid\":\"" + KEY_ID + "\",\"n\":\""
                        + number(key.getModulus()) + "\",\"e\":\"" + number(key.getPublicExponent()) + "\"}]}");
    }

    /** A token that is valid for so many seconds from now. */
    String token(String subject, String audience, long seconds) throws GeneralSecurityException {
        String signed = signedPart("RS256", subject, audience, seconds);
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(keys.getPrivate());
        signature.update(signed.getBytes(StandardCharsets.US_ASCII));
        return signed + "." + encoded(signature.sign());
    }

    /** The same without a signature. */
    static String unsigned(String subject, long seconds) {
        return signedPart("none", subject, AUDIENCE, seconds) + ".";
    }

    /** What a client sends with a token (RFC 7628). */
    static byte[] initialResponse(String token) {
        return ("n,,\u0001auth=Bearer " + token + "\u0001\u0001").getBytes(StandardCharsets.US_ASCII);
    }

    private static String signedPart(String algorithm, String subject, String audience, long seconds) {
        long now = System.currentTimeMillis() / 1_000;
        String header = "{\"alg\":\"" + algorithm + "\",\"typ\":\"JWT\",\"kid\":\"" + KEY_ID + "\"}";
        String claims = "{\"iss\":\"" + ISSUER + "\",\"aud\":\"" + audience + "\",\"sub\":\"" + subject
                + "\",\"scope\":\"all\",\"iat\":" + (now - 600) + ",\"exp\":" + (now + seconds) + "}";
        return encoded(header.getBytes(StandardCharsets.UTF_8)) + "."
                + encoded(claims.getBytes(StandardCharsets.UTF_8));
    }

    private static String number(BigInteger value) {
        byte[] bytes = value.toByteArray();
        int sign = bytes[0] == 0 ? 1 : 0;
        return encoded(Arrays.copyOfRange(bytes, sign, bytes.length));
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
