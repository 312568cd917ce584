package io.gregor.share.internal;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.server.share.SharePartitionKey;
import org.apache.kafka.server.share.persister.GroupTopicPartitionData;
import org.apache.kafka.server.share.persister.PartitionAllData;
import org.apache.kafka.server.share.persister.PartitionErrorData;
import org.apache.kafka.server.share.persister.PartitionFactory;
import org.apache.kafka.server.share.persister.PartitionIdData;
import org.apache.kafka.server.share.persister.Persister;
import org.apache.kafka.server.share.persister.ReadShareGroupStateParameters;
import org.apache.kafka.server.share.persister.TopicData;
import org.apache.kafka.server.share.persister.WriteShareGroupStateParameters;
import org.jspecify.annotations.Nullable;

/**
 * The state of one share partition as the share coordinator keeps it. Futures end with exceptions that are for the client.
 * Immutable.
 */
record PersistedState(Persister persister, SharePartitionKey key, int leaderEpoch) {
    CompletableFuture<PartitionAllData> read() {
        ReadShareGroupStateParameters parameters = new ReadShareGroupStateParameters.Builder()
                .setGroupTopicPartitionData(new GroupTopicPartitionData<>(
                        key.groupId(),
                        List.of(new TopicData<>(
                                key.topicId(),
                                List.of(PartitionFactory.newPartitionIdLeaderEpochData(
                                        key.partition(), leaderEpoch))))))
                .build();
        return persister.readState(parameters).handle((result, fault) -> {
            PartitionAllData data = own(result == null ? null : result.topicsData(), fault);
            check(data.errorCode(), data.errorMessage());
            return data;
        });
    }

    CompletableFuture<Void> write(Unwritten.Write write) {
        WriteShareGroupStateParameters parameters = new WriteShareGroupStateParameters.Builder()
                .setGroupTopicPartitionData(new GroupTopicPartitionData<>(
                        key.groupId(),
                        List.of(new TopicData<>(
                                key.topicId(),
                                List.of(PartitionFactory.newPartitionStateBatchData(
                                        key.partition(),
                                        write.stateEpoch(),
                                        write.startOffset(),
                                        (int) write.done(),
                                        leaderEpoch,
                                        write.batches()))))))
                .build();
        return persister.writeState(parameters).handle((result, fault) -> {
            PartitionErrorData data = own(result == null ? null : result.topicsData(), fault);
            check(data.errorCode(), data.errorMessage());
            return null;
        });
    }

    private <P extends PartitionIdData> P own(@Nullable List<TopicData<P>> topics, @Nullable Throwable fault) {
        if (fault != null) {
            throw new CompletionException(fault);
        }
        if (topics == null || !isOwn(topics)) {
            throw Errors.UNKNOWN_SERVER_ERROR.exception(
                    "the share coordinator answered for other partitions than " + key + ": " + topics);
        }
        return topics.get(0).partitions().get(0);
    }

    private <P extends PartitionIdData> boolean isOwn(List<TopicData<P>> topics) {
        return topics.size() == 1
                && topics.get(0).topicId().equals(key.topicId())
                && topics.get(0).partitions().size() == 1
                && topics.get(0).partitions().get(0).partition() == key.partition();
    }

    /** What the coordinator says, in words that the client of a share partition knows. */
    private void check(short code, @Nullable String message) {
        Errors error = Errors.forCode(code);
        Errors told =
                switch (error) {
                    case NONE -> Errors.NONE;
                    case NOT_COORDINATOR, COORDINATOR_NOT_AVAILABLE, COORDINATOR_LOAD_IN_PROGRESS ->
                        Errors.COORDINATOR_NOT_AVAILABLE;
                    case GROUP_ID_NOT_FOUND, UNKNOWN_TOPIC_OR_PARTITION -> error;
                    case FENCED_LEADER_EPOCH, FENCED_STATE_EPOCH -> Errors.NOT_LEADER_OR_FOLLOWER;
                    default -> Errors.UNKNOWN_SERVER_ERROR;
                };
        if (told != Errors.NONE) {
            throw told.exception("the state of " + key + " is not to be had: error=" + error + " message=" + message);
        }
    }
}
