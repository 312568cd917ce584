package io.gregor.security.tls.internal;

import io.gregor.api.security.ChannelLayer;
import io.gregor.api.security.ListenerSecurity;
import io.gregor.internal.change.Journal;
import io.gregor.internal.security.CertificateRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS listeners of the node. Owned by the thread of the stores, but for {@link #rows}: any thread. A listener whose
 * settings have changed has several layers for a while; the last one is what new connections get. One whose new connections
 * are not made here any more, but by another bundle or without TLS, has none that is current.
 */
public final class TlsListeners {
    private static final Logger LOGGER = LoggerFactory.getLogger(TlsListeners.class);

    private final Time time;
    private final Predicate<ListenerSecurity> isInterBroker;
    private final Supplier<@Nullable Journal> journal;
    private final ExpiryWarnings warnings = new ExpiryWarnings();
    private final CertificateBeans beans;
    private final List<TlsLayer> layers = new CopyOnWriteArrayList<>();

    /**
     * @param isInterBroker whether other brokers use a listener
     * @param journal where reloads are written down, null while it is not there
     */
    public TlsListeners(
            Time time,
            Predicate<ListenerSecurity> isInterBroker,
            Supplier<@Nullable Journal> journal,
            Predicate<String> isBeanShown) {
        this.time = time;
        this.isInterBroker = isInterBroker;
        this.journal = journal;
        this.beans = new CertificateBeans(time, isBeanShown);
    }

    /**
     * Makes the layer of a listener; one that is there keeps what it has.
     *
     * @param onEnd has the layer looked at by {@link #ended}, on the thread of the stores
     * @throws ConfigException if its stores cannot be used, or must not take the place of those in use
     */
    public ChannelLayer make(ListenerSecurity security, Consumer<ChannelLayer> onEnd) {
        Stores read = new StoreReading(security).read(time.milliseconds());
        TlsLayer made;
        try {
            TlsLayer inUse = current().get(security.listener().value());
            if (inUse != null) {
                inUse.check(read);
            }
            made = new TlsLayer(security, isInterBroker.test(security), read, onEnd::accept);
        } catch (ConfigException e) {
            Utils.closeQuietly(read.engines(), "stores that are not used");
            throw e;
        }
        layers.add(made);
        show();
        LOGGER.info("certificates of a listener: listener={} {}", made.listener(), read.summary());
        return made;
    }

    /** No new connection, or no connection at all, uses a layer any more: nothing is shown of it, or it is taken out. */
    public void ended(ChannelLayer gone) {
        if (gone instanceof TlsLayer layer && layers.contains(layer)) {
            if (layer.isClosed()) {
                layers.remove(layer);
                layer.release();
            }
            show();
        }
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return layers.isEmpty();
    }

    /** Reads again what has changed on disk, and warns of what expires. */
    public void look() {
        for (TlsLayer layer : current().values()) {
            if (layer.isChanged()) {
                reloadChanged(layer);
            }
        }
        warn();
    }

    private void reloadChanged(TlsLayer layer) {
        try {
            reload(layer, "", "node");
        } catch (ConfigException e) {
            LOGGER.error("changed certificates are not used, the former ones are: {}", e.getMessage());
        }
    }

    /**
     * Reads the stores of a listener again.
     *
     * @return what came of it
     * @throws IllegalArgumentException if there is no such listener, or its stores cannot be used
     */
    public String reload(String listener, String who) {
        TlsLayer layer = current().get(listener);
        if (layer == null) {
            throw new IllegalArgumentException("no listener=" + listener + " with certificates, there are "
                    + String.join(", ", current().keySet()));
        }
        try {
            reload(layer, who, "shell");
        } catch (ConfigException e) {
            throw new IllegalArgumentException("the former certificates stay: " + e.getMessage(), e);
        }
        return "listener=" + listener + " new connections get " + layer.stores().summary();
    }

    private void reload(TlsLayer layer, String who, String door) {
        String before = layer.stores().summary();
        try {
            layer.reload(time.milliseconds());
            LOGGER.info(
                    "new certificates of a listener: listener={} {}",
                    layer.listener(),
                    layer.stores().summary());
            note(layer, who, door, before, "applied");
        } catch (ConfigException e) {
            note(layer, who, door, before, "refused: " + e.getMessage());
            throw e;
        } finally {
            show();
        }
    }

    private void note(TlsLayer layer, String who, String door, String before, String result) {
        Journal now = journal.get();
        if (now != null) {
            String subject = "certificates " + layer.listener();
            now.add(
                    who,
                    door,
                    Map.of(subject, before),
                    Map.of(subject, layer.stores().summary()),
                    result);
        }
    }

    private void show() {
        beans.show(current().values());
        warn();
    }

    private void warn() {
        warnings.look(current().values(), time.milliseconds());
    }

    /** What new connections get, by listener. */
    private Map<String, TlsLayer> current() {
        Map<String, TlsLayer> last = new LinkedHashMap<>();
        layers.stream().filter(layer -> !layer.isRetired()).forEach(layer -> last.put(layer.listener(), layer));
        return last;
    }

    /** All certificates in use. Any thread. */
    public List<CertificateRow> rows() {
        List<CertificateRow> rows = new ArrayList<>();
        for (TlsLayer layer : current().values()) {
            Stores stores = layer.stores();
            stores.certificates().forEach(one -> rows.add(row(layer, stores, one)));
        }
        return rows;
    }

    private static CertificateRow row(TlsLayer layer, Stores stores, StoredCertificate one) {
        return new CertificateRow(
                layer.listener(),
                one.kind().title(),
                one.alias(),
                one.subject(),
                one.certificate().getIssuerX500Principal().getName(),
                one.serial(),
                one.certificate().getNotBefore().toInstant().toEpochMilli(),
                one.notAfterMs(),
                one.kind().source(stores.settings()),
                stores.readMs(),
                layer.problem());
    }

    /** Takes the MBeans back; layers that are in use go on. */
    public void close() {
        beans.close();
    }
}
