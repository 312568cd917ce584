package io.gregor.security.tls.internal;

import io.gregor.api.security.ChannelLayer;
import io.gregor.api.security.ListenerSecurity;
import io.gregor.api.security.SecuredConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.network.ConnectionMode;
import org.apache.kafka.common.network.SslTransportLayer;
import org.apache.kafka.common.network.TransportLayer;
import org.apache.kafka.common.security.ssl.SslFactory;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * TLS for the connections of one listener. Shared: any thread opens connections; the rest is for the thread of the stores.
 *
 * <p>Kafka's {@code SslFactory} decides whether new stores may take the place of others. Connections are made with an
 * immutable {@link Stores}, which lives until the one after the next is in use: nobody who has just taken it is left without.
 */
final class TlsLayer implements ChannelLayer {
    private final ListenerSecurity security;
    private final SslFactory factory;
    private final Consumer<TlsLayer> onEnd;
    private volatile Stores stores;
    private volatile String problem = "";
    private volatile boolean isRetired;
    private volatile boolean isClosed;
    private @Nullable Stores former;
    private StoreStamp seen;
    private StoreStamp tried;

    /**
     * With stores that have been read.
     *
     * @param isInterBroker whether the listener connects to itself: its trust store must then vouch for its key store
     * @param onEnd told when it {@link #isRetired} and when it {@link #isClosed}, on any thread
     * @throws ConfigException if it must and does not
     */
    TlsLayer(ListenerSecurity security, boolean isInterBroker, Stores read, Consumer<TlsLayer> onEnd) {
        this.security = security;
        this.onEnd = onEnd;
        this.stores = read;
        this.seen = read.stamp();
        this.tried = read.stamp();
        this.factory = new SslFactory(ConnectionMode.SERVER, null, isInterBroker);
        try {
            factory.configure(LoadedEngines.settings(read));
        } catch (KafkaException e) {
            throw new StoreFaults(security)
                    .of(
                            "the trust store must vouch for the key store, since brokers connect to this listener with both: "
                                    + StoreFaults.reasons(e));
        }
    }

    @Override
    public TransportLayer open(SecuredConnection connection) throws IOException {
        Socket socket = ((SocketChannel) connection.key().channel()).socket();
        String host = new InetSocketAddress(socket.getInetAddress(), 0).getHostString(); // asks no name server
        SSLEngine engine = stores.engines().createServerSslEngine(host, socket.getPort());
        return SslTransportLayer.create(
                connection.id(), connection.key(), new AsideEngine(engine, connection), connection.facts());
    }

    @Override
    public void retire() {
        isRetired = true;
        onEnd.accept(this);
    }

    @Override
    public void close() {
        isRetired = true;
        isClosed = true;
        onEnd.accept(this);
    }

    /** Whether new connections of its listener are made with another one. Any thread. */
    boolean isRetired() {
        return isRetired;
    }

    /** Whether no connection uses it any more either. Any thread. */
    boolean isClosed() {
        return isClosed;
    }

    ListenerSecurity security() {
        return security;
    }

    String listener() {
        return security.listener().value();
    }

    /** What new connections get. Any thread. */
    Stores stores() {
        return stores;
    }

    /** Why newer stores are not used, or empty. Any thread. */
    String problem() {
        return problem;
    }

    /** Whether files are others than when they were last tried, and were the same at the last look too. */
    boolean isChanged() {
        StoreStamp now = StoreStamp.of(security.settings());
        boolean isAtRest = now.equals(seen);
        seen = now;
        return isAtRest && !now.equals(tried);
    }

    /** Throws a ConfigException if these stores must not take the place of those in use. */
    void check(Stores next) {
        try {
            factory.validateReconfiguration(LoadedEngines.settings(next));
        } catch (ConfigException e) {
            throw refused(e);
        }
    }

    /**
     * Reads the stores again; new connections get what was read.
     *
     * @throws ConfigException if it cannot be used; then all stays as it is
     */
    void reload(long nowMs) {
        tried = StoreStamp.of(security.settings());
        try {
            use(new StoreReading(security).read(nowMs));
            problem = "";
        } catch (ConfigException e) {
            problem = StoreFaults.reasons(e);
            throw e;
        }
    }

    private void use(Stores next) {
        try {
            factory.reconfigure(LoadedEngines.settings(next));
        } catch (ConfigException e) {
            Utils.closeQuietly(next.engines(), "stores that are not used");
            throw refused(e);
        }
        Stores before = former;
        if (before != null) {
            Utils.closeQuietly(before.engines(), "former stores");
        }
        former = stores;
        stores = next;
    }

    private ConfigException refused(ConfigException e) {
        String said = StoreFaults.reasons(e).replace("Validation of dynamic config update of SSLFactory failed: ", "");
        String reason = said.replace(ConfigException.class.getName() + ": ", "");
        String wayOut = reason.contains("DistinguishedName")
                ? "; ssl.allow.dn.changes=true lets it change"
                : reason.contains("SubjectAltNames") ? "; ssl.allow.san.changes=true lets them change" : "";
        return new StoreFaults(security).of("what is in use cannot become this: " + reason + wayOut);
    }

    /** Gives the stores back. */
    void release() {
        Stores before = former;
        if (before != null) {
            Utils.closeQuietly(before.engines(), "former stores");
        }
        factory.close();
        Utils.closeQuietly(stores.engines(), "stores");
    }
}
