package io.gregor.security.tls.internal;

import javax.management.NotCompliantMBeanException;
import javax.management.StandardMBean;
import org.apache.kafka.common.utils.Time;

/** The certificates of one store of one listener, as an MBean. Shared: any thread. */
final class CertificateBean extends StandardMBean implements CertificateFigures {
    private final Time time;
    private final TlsLayer layer;
    private final StoreKind kind;

    CertificateBean(Time time, TlsLayer layer, StoreKind kind) throws NotCompliantMBeanException {
        super(CertificateFigures.class);
        this.time = time;
        this.layer = layer;
        this.kind = kind;
    }

    @Override
    public long getExpiresInMs() {
        return getExpiresAtMs() - time.milliseconds();
    }

    @Override
    public long getExpiresAtMs() {
        return layer.stores()
                .firstToExpire(kind)
                .map(StoredCertificate::notAfterMs)
                .orElse(Long.MAX_VALUE);
    }

    @Override
    public long getReadAtMs() {
        return layer.stores().readMs();
    }

    @Override
    public int getCertificates() {
        return layer.stores().of(kind).size();
    }

    @Override
    public String getProblem() {
        return layer.problem();
    }
}
