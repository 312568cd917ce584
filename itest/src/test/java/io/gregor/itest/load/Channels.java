package io.gregor.itest.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.memory.MemoryPool;
import org.apache.kafka.common.network.ChannelBuilder;
import org.apache.kafka.common.network.ChannelMetadataRegistry;
import org.apache.kafka.common.network.CipherInformation;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.KafkaChannel;
import org.apache.kafka.common.network.NetworkReceive;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;

/**
 * The connections of a load as Kafka's own clients make them, over any security protocol. They share one login and one TLS
 * context, so that later handshakes resume the session of the first. Owned by the load's thread.
 */
final class Channels implements AutoCloseable {
    private final int port;
    private final ChannelBuilder channels;
    private final Selector selector;

    /** To a port of 127.0.0.1, with the settings of a client; without any it is PLAINTEXT. */
    Channels(int port, Map<String, Object> settings, Selector selector) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap.servers", "127.0.0.1:" + port);
        this.port = port;
        this.selector = selector;
        channels = ClientUtils.createChannelBuilder(new AdminClientConfig(all), Time.SYSTEM, new LogContext());
    }

    /** Connects; what the selector finds is for the owner. */
    KafkaChannel connect(Object owner) throws IOException {
        SocketChannel socket = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.configureBlocking(false);
        return channels.buildChannel(
                socket.getLocalAddress() + "->" + port,
                socket.register(selector, SelectionKey.OP_READ, owner),
                NetworkReceive.UNLIMITED,
                MemoryPool.NONE,
                new NoFacts());
    }

    @Override
    public void close() {
        channels.close();
    }

    /** Nobody asks what was agreed on. Immutable. */
    private static final class NoFacts implements ChannelMetadataRegistry {
        @Override
        public void registerCipherInformation(CipherInformation cipher) {}

        @Override
        public CipherInformation cipherInformation() {
            return new CipherInformation("", "");
        }

        @Override
        public void registerClientInformation(ClientInformation client) {}

        @Override
        public ClientInformation clientInformation() {
            return ClientInformation.EMPTY;
        }

        @Override
        public void close() {}
    }
}
