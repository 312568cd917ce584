package io.gregor.handlers.groups.internal;

import io.gregor.internal.broker.AutoTopics;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.transactions.TransactionCoordinator;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FindCoordinatorRequest.CoordinatorType;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.coordinator.share.ShareCoordinator;
import org.apache.kafka.metadata.LeaderAndIsr;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.server.share.SharePartitionKey;

/**
 * Finds the coordinator of a key: the leader of its partition of an internal topic, which is created when it is asked for
 * the first time. Shared: any thread.
 */
public final class CoordinatorLookup {
    private static final short SHARE_KEYS_MIN_VERSION = 6;

    private final GroupCoordinator groups;
    private final ShareCoordinator shares;
    private final TransactionCoordinator transactions;
    private final ServedMetadata metadata;
    private final AutoTopics autoTopics;
    private final Authorization authorization;

    /** A coordinator, or why there is none; {@code node} is {@link Node#noNode} with an error. */
    public record Found(Errors error, String message, Node node) {
        static Found at(Node node) {
            return new Found(Errors.NONE, "", node);
        }

        static Found none(Errors error) {
            return new Found(error, "", Node.noNode());
        }
    }

    /** A look-up in the served metadata. */
    public CoordinatorLookup(
            GroupCoordinator groups,
            ShareCoordinator shares,
            TransactionCoordinator transactions,
            ServedMetadata metadata,
            AutoTopics autoTopics,
            Authorization authorization) {
        this.groups = groups;
        this.shares = shares;
        this.transactions = transactions;
        this.metadata = metadata;
        this.autoTopics = autoTopics;
        this.authorization = authorization;
    }

    /**
     * Finds the coordinator of one key.
     *
     * @throws org.apache.kafka.common.errors.InvalidRequestException if there is no such key type
     */
    public Found find(RequestContext who, byte keyType, String key) {
        return switch (CoordinatorType.forId(keyType)) {
            case GROUP -> group(who, key);
            case TRANSACTION -> transaction(who, key);
            case SHARE -> share(who, key);
        };
    }

    private Found group(RequestContext who, String groupId) {
        if (!authorization.isAllowed(who, AclOperation.DESCRIBE, ResourceType.GROUP, groupId)) {
            return Found.none(Errors.GROUP_AUTHORIZATION_FAILED);
        }
        return leader(who, Topic.GROUP_METADATA_TOPIC_NAME, groups.partitionFor(groupId));
    }

    private Found transaction(RequestContext who, String transactionalId) {
        if (!authorization.isAllowed(who, AclOperation.DESCRIBE, ResourceType.TRANSACTIONAL_ID, transactionalId)) {
            return Found.none(Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED);
        }
        return leader(who, Topic.TRANSACTION_STATE_TOPIC_NAME, transactions.partitionFor(transactionalId));
    }

    private Found share(RequestContext who, String key) {
        if (who.apiVersion() < SHARE_KEYS_MIN_VERSION) {
            return Found.none(Errors.INVALID_REQUEST);
        }
        if (!authorization.isAllowed(who, AclOperation.CLUSTER_ACTION, ResourceType.CLUSTER, Resource.CLUSTER_NAME)) {
            return Found.none(Errors.CLUSTER_AUTHORIZATION_FAILED);
        }
        SharePartitionKey partition;
        try {
            partition = SharePartitionKey.getInstance(key);
        } catch (IllegalArgumentException malformed) {
            return Found.none(Errors.INVALID_REQUEST);
        }
        return leader(who, Topic.SHARE_GROUP_STATE_TOPIC_NAME, shares.partitionFor(partition));
    }

    private Found leader(RequestContext who, String topic, int partition) {
        MetadataCache cache = metadata.cache();
        if (!cache.contains(topic)) {
            autoTopics.create(Set.of(topic), null);
            return Found.none(Errors.COORDINATOR_NOT_AVAILABLE);
        }
        Optional<Node> node = cache.getLeaderAndIsr(topic, partition)
                .map(LeaderAndIsr::leader)
                .flatMap(leader -> cache.getAliveBrokerNode(leader, who.listenerName));
        return node.map(Found::at).orElseGet(() -> Found.none(Errors.COORDINATOR_NOT_AVAILABLE));
    }
}
