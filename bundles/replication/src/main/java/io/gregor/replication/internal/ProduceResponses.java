package io.gregor.replication.internal;

import io.gregor.internal.replication.Replicas.PartitionRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.ProduceResponse.PartitionResponse;
import org.apache.kafka.server.LogAppendResult;
import org.apache.kafka.server.LogAppendResult.LogAppendSummary;

/** Turns results of appends into what a producer is told. Immutable. */
final class ProduceResponses {
    private ProduceResponses() {}

    /** What a producer is told of an append that needs no more acknowledgement. */
    static PartitionResponse of(LogAppendResult result) {
        LogAppendSummary summary = result.logAppendSummary();
        return new PartitionResponse(
                result.error(),
                summary.firstOffset(),
                summary.logAppendTime(),
                summary.logStartOffset(),
                summary.recordErrors(),
                result.errorMessage());
    }

    /** What a producer is told that asks for acknowledgements which do not exist. */
    static List<PartitionResponse> invalidAcks(int count) {
        List<PartitionResponse> responses = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            responses.add(new PartitionResponse(
                    Errors.INVALID_REQUIRED_ACKS,
                    ProduceResponse.INVALID_OFFSET,
                    RecordBatch.NO_TIMESTAMP,
                    ProduceResponse.INVALID_OFFSET));
        }
        return responses;
    }

    /** Kafka's operation changes its responses in place, one a partition; a partition's earlier appends share its fate. */
    static void settleRepeated(
            List<PartitionRecords> records,
            List<PartitionResponse> responses,
            Map<TopicIdPartition, PartitionResponse> settled) {
        for (int i = 0; i < records.size(); i++) {
            PartitionResponse response = responses.get(i);
            PartitionResponse last = settled.get(records.get(i).partition());
            if (last != null && response.error == Errors.NONE) {
                response.error = last.error;
            }
        }
    }
}
