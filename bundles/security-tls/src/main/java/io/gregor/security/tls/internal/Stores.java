package io.gregor.security.tls.internal;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.common.security.auth.SslEngineFactory;

/**
 * The stores of a listener as they were read. Immutable.
 *
 * @param settings the settings they were read with
 * @param engines makes engines of them
 * @param stamp the files, as they were just before
 * @param readMs when
 */
record Stores(
        Map<String, Object> settings,
        SslEngineFactory engines,
        List<StoredCertificate> certificates,
        StoreStamp stamp,
        long readMs) {
    /** The one of a store that expires first. */
    Optional<StoredCertificate> firstToExpire(StoreKind kind) {
        return of(kind).stream().min(Comparator.comparingLong(StoredCertificate::notAfterMs));
    }

    /** Those of one store. */
    List<StoredCertificate> of(StoreKind kind) {
        return certificates.stream().filter(one -> one.kind() == kind).toList();
    }

    /** What is in them, in one line. */
    String summary() {
        String keys = of(StoreKind.KEY).stream()
                .filter(one -> !one.alias().endsWith("]"))
                .map(one -> one.subject() + " serial=" + one.serial() + " until="
                        + one.certificate().getNotAfter().toInstant())
                .collect(Collectors.joining("; "));
        return keys + ", trusts " + of(StoreKind.TRUST).size();
    }
}
