package io.gregor.internal.share;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.internals.ShareAcquireMode;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.message.ShareFetchResponseData.PartitionData;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.server.share.acknowledge.ShareAcknowledgementBatch;
import org.apache.kafka.server.share.context.ShareFetchContext;
import org.apache.kafka.server.share.session.ShareSessionKey;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of share groups that this broker leads: which records are in whose hands (KIP-932), and the sessions of
 * their members. A service of share with the property {@code role}. Shared: any thread; nothing here waits.
 */
public interface SharePartitions {
    /**
     * A change of a member's session, or its first request.
     *
     * @param epoch the session's epoch: 0 opens, -1 closes
     * @param added partitions to fetch from now on; without a name if the topic is not known
     * @param forgotten partitions to fetch no longer
     * @param isAcknowledging whether the request has acknowledgements
     * @param connectionId the session ends with this connection
     */
    record SessionStep(
            ShareSessionKey member,
            int epoch,
            List<TopicIdPartition> added,
            List<TopicIdPartition> forgotten,
            boolean isAcknowledging,
            String connectionId) {}

    /**
     * What a member wants to get.
     *
     * @param sessionEpoch which of the partitions comes first changes with it
     * @param maxWaitMs how long it waits for {@code minBytes}
     * @param maxRecords at most so many; whole batches for {@link ShareAcquireMode#BATCH_OPTIMIZED}, which may be more
     * @param batchSize how many records are to be acknowledged together
     */
    record Wanted(
            ShareSessionKey member,
            int sessionEpoch,
            long maxWaitMs,
            int minBytes,
            int maxBytes,
            int maxRecords,
            int batchSize,
            ShareAcquireMode mode) {}

    /**
     * Opens, continues or ends a session.
     *
     * @return which partitions are to be fetched, and what of the answer is news to the member
     * @throws org.apache.kafka.common.errors.ApiException with the error for the client: no such session, another epoch, too
     *     many sessions
     */
    ShareFetchContext session(SessionStep step);

    /**
     * Continues a session with a request that only acknowledges.
     *
     * @param epoch the session's epoch: never 0, -1 if it is to be closed afterwards
     * @throws org.apache.kafka.common.errors.ApiException as for {@link #session}
     */
    void acknowledging(ShareSessionKey member, int epoch);

    /** Ends a session: what the member has in hand is free for others. */
    void closeSession(ShareSessionKey member);

    /**
     * Acquires records for a member: at once if there are enough, else when there are or the time is over.
     *
     * @param done called once, on this or another thread, with what each partition has: errors, or acquired records, which
     *     are slices of the log's files; partitions with nothing to tell are there too
     * @return ends the wait, so that {@code done} is called with what there is; null if nothing is waited for
     */
    @Nullable
    Runnable fetch(
            Wanted wanted, List<TopicIdPartition> partitions, Consumer<Map<TopicIdPartition, PartitionData>> done);

    /**
     * Takes acknowledgements in: of each partition all of them or none.
     *
     * @param batches of one type, or of one for each offset: 0 gap, 1 accept, 2 release, 3
     *     reject, 4 renew
     * @return ends when what became of the records is written down, with the error of each partition
     */
    CompletableFuture<Map<TopicIdPartition, ApiError>> acknowledge(
            ShareSessionKey member, Map<TopicIdPartition, List<ShareAcknowledgementBatch>> batches);

    /** How long a record stays in the hands of a member of this group, in milliseconds. */
    int lockDurationMs(String groupId);

    /** Whether members of this group may renew the time that they have for a record (KIP-1222). */
    boolean isRenewable(String groupId);
}
