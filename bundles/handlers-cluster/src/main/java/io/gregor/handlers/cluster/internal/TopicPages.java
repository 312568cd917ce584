package io.gregor.handlers.cluster.internal;

import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.Cursor;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.metadata.MetadataCache;
import org.jspecify.annotations.Nullable;

/** Immutable. Pages of topics in the order of their names, each from where the last one ended. */
public final class TopicPages {
    private final ServedMetadata metadata;
    private final Authorization authorization;
    private final int maxPartitions;

    /** Pages of at most {@code maxPartitions} partitions ({@code max.request.partition.size.limit}). */
    public TopicPages(ServedMetadata metadata, Authorization authorization, int maxPartitions) {
        this.metadata = metadata;
        this.authorization = authorization;
        this.maxPartitions = maxPartitions;
    }

    /**
     * The page that is asked for.
     *
     * @throws InvalidRequestException if the cursor points to a topic that is not asked for or to no partition
     */
    public DescribeTopicPartitionsResponseData page(DescribeTopicPartitionsRequestData asked, RequestContext who) {
        MetadataCache cache = metadata.cache();
        Cursor cursor = asked.cursor();
        boolean isAll = asked.topics().isEmpty();
        Collection<String> names = isAll
                ? cache.getAllTopics()
                : asked.topics().stream().map(TopicRequest::name).toList();
        Set<String> fromCursor = new HashSet<>(names);
        if (cursor != null) {
            fromCursor.removeIf(name -> name.compareTo(cursor.topicName()) < 0);
            check(cursor, isAll, fromCursor);
        }
        List<DescribeTopicPartitionsResponseTopic> refused = new ArrayList<>();
        TreeSet<String> described = new TreeSet<>();
        for (String name : fromCursor) {
            if (authorization.isAllowed(who, AclOperation.DESCRIBE, ResourceType.TOPIC, name, true, !isAll)) {
                described.add(name);
            } else if (!isAll) {
                // Whether it exists is not told.
                refused.add(new DescribeTopicPartitionsResponseTopic()
                        .setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code())
                        .setName(name)
                        .setTopicId(Uuid.ZERO_UUID));
            }
        }
        DescribeTopicPartitionsResponseData page = cache.describeTopicResponse(
                described.iterator(),
                who.listenerName,
                name -> firstPartition(name, cursor),
                Math.max(Math.min(maxPartitions, asked.responsePartitionLimit()), 1),
                isAll);
        page.topics()
                .forEach(topic -> topic.setTopicAuthorizedOperations(
                        authorization.allowedOperations(who, ResourceType.TOPIC, topic.name())));
        page.topics().addAll(refused);
        return page;
    }

    private static void check(Cursor cursor, boolean isAll, Set<String> names) {
        if (!isAll && !names.contains(cursor.topicName())) {
            throw new InvalidRequestException(
                    "DescribeTopicPartitionsRequest topic list should contain the cursor topic: " + cursor.topicName());
        }
        if (cursor.partitionIndex() < 0) {
            throw new InvalidRequestException(
                    "DescribeTopicPartitionsRequest cursor partition must be valid: " + cursor);
        }
    }

    private static int firstPartition(String name, @Nullable Cursor cursor) {
        return cursor != null && name.equals(cursor.topicName()) ? cursor.partitionIndex() : 0;
    }
}
