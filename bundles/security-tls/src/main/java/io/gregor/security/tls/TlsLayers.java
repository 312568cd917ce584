package io.gregor.security.tls;

import io.gregor.api.security.ChannelLayer;
import io.gregor.api.security.ChannelLayers;
import io.gregor.api.security.ListenerSecurity;
import io.gregor.internal.change.Journal;
import io.gregor.internal.node.GregorConfigs;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.security.CertificateRow;
import io.gregor.internal.security.Certificates;
import io.gregor.security.tls.internal.StoreThread;
import io.gregor.security.tls.internal.TlsListeners;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.metrics.JmxReporter;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** The TLS layers of SSL and SASL_SSL listeners of both roles, and their certificates. Shared: any thread. */
@Component(
        service = {ChannelLayers.class, Certificates.class},
        immediate = true,
        property = ChannelLayers.LAYER + "=" + ChannelLayers.TLS)
public final class TlsLayers implements ChannelLayers, Certificates {
    private final StoreThread thread = new StoreThread();
    private final AtomicBoolean isLooking = new AtomicBoolean();
    private final long checkIntervalMs;
    private final TlsListeners listeners;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    volatile @Nullable Journal journal;

    /** No listeners yet. */
    @Activate
    public TlsLayers(@Reference NodeConfig config) {
        this.checkIntervalMs = config.values().getLong(GregorConfigs.SSL_STORE_CHECK_INTERVAL_MS_CONFIG);
        this.listeners = new TlsListeners(
                Time.SYSTEM,
                security -> security.listener().equals(config.interBrokerListener()),
                () -> journal,
                JmxReporter.compilePredicate(config.values().originals()));
    }

    @Deactivate
    void deactivate() {
        thread.call(() -> {
            listeners.close();
            return true;
        });
        thread.close();
    }

    @Override
    public ChannelLayer forListener(ListenerSecurity security) {
        ChannelLayer made =
                thread.call(() -> listeners.make(security, gone -> thread.later(() -> listeners.ended(gone))));
        if (isLooking.compareAndSet(false, true)) {
            thread.every(checkIntervalMs, listeners::look);
        }
        return made;
    }

    @Override
    public List<CertificateRow> rows() {
        return listeners.rows();
    }

    @Override
    public String reload(String listener, String who) {
        return thread.call(() -> listeners.reload(listener.toUpperCase(Locale.ROOT), who));
    }
}
