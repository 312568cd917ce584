package io.gregor.handlers.data.internal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.server.share.acknowledge.ShareAcknowledgementBatch;

/** The acknowledgements of one request, and why some of them are refused. Owned by the handler thread. */
public final class ShareAcknowledgements {
    private static final byte GAP = 0;

    private final boolean mayRenew;
    private final Map<Uuid, String> names;
    private final Map<TopicIdPartition, List<ShareAcknowledgementBatch>> batches = new LinkedHashMap<>();
    private final Map<TopicIdPartition, ApiError> refused = new LinkedHashMap<>();

    private ShareAcknowledgements(boolean mayRenew, Map<Uuid, String> names) {
        this.mayRenew = mayRenew;
        this.names = names;
    }

    /** What comes along with a fetch. */
    public static ShareAcknowledgements of(ShareFetchRequestData data, boolean mayRenew, Map<Uuid, String> names) {
        ShareAcknowledgements all = new ShareAcknowledgements(mayRenew, names);
        data.topics().forEach(topic -> topic.partitions().stream()
                .filter(one -> !one.acknowledgementBatches().isEmpty())
                .forEach(one -> all.add(
                        topic.topicId(),
                        one.partitionIndex(),
                        one.acknowledgementBatches().stream()
                                .map(batch -> new ShareAcknowledgementBatch(
                                        batch.firstOffset(), batch.lastOffset(), batch.acknowledgeTypes()))
                                .toList())));
        return all;
    }

    /** What a request that only acknowledges has. */
    public static ShareAcknowledgements of(
            ShareAcknowledgeRequestData data, boolean mayRenew, Map<Uuid, String> names) {
        ShareAcknowledgements all = new ShareAcknowledgements(mayRenew, names);
        data.topics().forEach(topic -> topic.partitions()
                .forEach(one -> all.add(
                        topic.topicId(),
                        one.partitionIndex(),
                        one.acknowledgementBatches().stream()
                                .map(batch -> new ShareAcknowledgementBatch(
                                        batch.firstOffset(), batch.lastOffset(), batch.acknowledgeTypes()))
                                .toList())));
        return all;
    }

    private void add(Uuid id, int index, List<ShareAcknowledgementBatch> acknowledged) {
        TopicIdPartition partition = new TopicIdPartition(id, index, names.get(id));
        if (partition.topic() == null) {
            refused.put(partition, new ApiError(Errors.UNKNOWN_TOPIC_ID, null));
        } else if (isValid(acknowledged)) {
            batches.put(partition, acknowledged);
        } else {
            refused.put(partition, new ApiError(Errors.INVALID_REQUEST, null));
        }
    }

    private boolean isValid(List<ShareAcknowledgementBatch> acknowledged) {
        for (ShareAcknowledgementBatch batch : acknowledged) {
            int types = batch.acknowledgeTypes().size();
            boolean isInOrder = batch.firstOffset() >= 0 && batch.lastOffset() >= batch.firstOffset();
            boolean hasTypes = types == 1 || types == batch.lastOffset() - batch.firstOffset() + 1;
            if (!isInOrder || !hasTypes || !batch.acknowledgeTypes().stream().allMatch(this::isKnown)) {
                return false;
            }
        }
        return true;
    }

    private boolean isKnown(byte type) {
        return type >= GAP && (type < AcknowledgeType.RENEW.id || (mayRenew && type == AcknowledgeType.RENEW.id));
    }

    /** Refuses those of topics that the member may not read, and of partitions that are not there. */
    public void keepReadable(Set<String> readable, MetadataCache cache) {
        batches.keySet().removeIf(partition -> {
            Errors error = readable.contains(partition.topic())
                    ? cache.contains(partition.topicPartition()) ? Errors.NONE : Errors.UNKNOWN_TOPIC_OR_PARTITION
                    : Errors.TOPIC_AUTHORIZATION_FAILED;
            if (error != Errors.NONE) {
                refused.put(partition, new ApiError(error, null));
            }
            return error != Errors.NONE;
        });
    }

    /** Whether there is anything. */
    public boolean isEmpty() {
        return batches.isEmpty() && refused.isEmpty();
    }

    /** What is to be taken in. */
    public Map<TopicIdPartition, List<ShareAcknowledgementBatch>> batches() {
        return batches;
    }

    /** What is not. */
    public Map<TopicIdPartition, ApiError> refused() {
        return refused;
    }
}
