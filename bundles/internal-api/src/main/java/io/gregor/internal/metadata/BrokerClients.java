package io.gregor.internal.metadata;

import org.apache.kafka.clients.NetworkClient;

/**
 * Opens clients of other brokers, and of this one, over the inter-broker listener. A service of the metadata bundle, of nodes
 * with the broker role. Shared: any thread.
 */
public interface BrokerClients {
    /**
     * A new client, not connected. It belongs to the one thread that polls it, and who opened it closes it.
     *
     * @param name what it is for: part of the names of its metrics and lines of the log
     */
    NetworkClient open(String name);
}
