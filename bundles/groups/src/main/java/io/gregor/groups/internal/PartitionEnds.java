package io.gregor.groups.internal;

import io.gregor.internal.metadata.BrokerClients;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.server.util.NetworkPartitionMetadataClient;
import org.apache.kafka.server.util.PartitionMetadataClient;
import org.apache.kafka.server.util.timer.Timer;

/**
 * Tells the group coordinator where partitions end, whoever leads them, for the lag of share groups. Its thread and
 * connections come with the first question. Immutable.
 */
public final class PartitionEnds {
    private static final String CLIENT = "NetworkPartitionMetadataClient";

    private PartitionEnds() {}

    /** Asks the leaders over this listener; the timer is for repetitions. */
    public static PartitionMetadataClient of(
            MetadataCache metadata, BrokerClients clients, ListenerName listener, Timer timer) {
        return new NetworkPartitionMetadataClient(metadata, () -> clients.open(CLIENT), Time.SYSTEM, listener, timer);
    }
}
