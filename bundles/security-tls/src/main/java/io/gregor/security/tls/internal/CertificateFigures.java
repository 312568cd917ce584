package io.gregor.security.tls.internal;

/** The attributes of {@link CertificateBean}. JMX wants it public. Times are in milliseconds. Shared: any thread. */
public interface CertificateFigures {
    /** How long until the first of them expires; negative if it has. */
    long getExpiresInMs();

    /** When the first of them expires, since the epoch. */
    long getExpiresAtMs();

    /** When the store was read, since the epoch. */
    long getReadAtMs();

    /** How many there are. */
    int getCertificates();

    /** Why a newer store is not used, or empty. */
    String getProblem();
}
