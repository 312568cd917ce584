package io.gregor.handlers.data.internal;

import io.gregor.internal.replication.Replicas;
import io.gregor.internal.replication.Replicas.KnownLeader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.metadata.MetadataCache;

/** Collects where the leaders are that a client is sent to, for one answer (KIP-951). Owned by the thread that answers. */
public final class Leaders {
    private final Replicas replicas;
    private final MetadataCache cache;
    private final ListenerName listener;
    private final Map<Integer, Node> nodes = new LinkedHashMap<>();

    /** Addresses are those of the listener that the client came by. */
    public Leaders(Replicas replicas, MetadataCache cache, ListenerName listener) {
        this.replicas = replicas;
        this.cache = cache;
        this.listener = listener;
    }

    /** The partition's leader, whose address is remembered. */
    public KnownLeader of(TopicPartition partition) {
        KnownLeader leader = replicas.leader(partition);
        cache.getAliveBrokerNode(leader.leaderId(), listener).ifPresent(node -> nodes.put(node.id(), node));
        return leader;
    }

    /** The addresses of all leaders asked for so far. */
    public List<Node> nodes() {
        return new ArrayList<>(nodes.values());
    }
}
