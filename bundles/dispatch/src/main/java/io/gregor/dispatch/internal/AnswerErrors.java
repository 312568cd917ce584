package io.gregor.dispatch.internal;

import java.nio.ByteBuffer;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatResponse;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.FindCoordinatorResponse;
import org.apache.kafka.common.requests.HeartbeatResponse;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.SyncGroupResponse;

/** Counts the errors in answers, without a map where a frequent kind of answer has none. Immutable. */
final class AnswerErrors {
    /** There are errors, or this kind of answer is not looked into here: {@link AbstractResponse#errorCounts} tells. */
    static final int UNKNOWN = -1;

    private AnswerErrors() {}

    /** How many parts of an answer are without error, if all are; else {@link #UNKNOWN}. */
    static int successes(AbstractResponse response) {
        if (response instanceof ProduceResponse produce) {
            return successes(produce);
        }
        if (response instanceof FetchResponse fetch) {
            return successes(fetch.data());
        }
        if (response instanceof HeartbeatResponse heartbeat) {
            return heartbeat.data().errorCode() == 0 ? 1 : UNKNOWN;
        }
        return UNKNOWN;
    }

    private static int successes(ProduceResponse produce) {
        int parts = 0;
        for (TopicProduceResponse topic : produce.data().responses()) {
            for (PartitionProduceResponse partition : topic.partitionResponses()) {
                if (partition.errorCode() != 0) {
                    return UNKNOWN;
                }
                parts++;
            }
        }
        return parts;
    }

    private static int successes(FetchResponseData fetch) {
        if (fetch.errorCode() != 0) {
            return UNKNOWN;
        }
        int parts = 1;
        for (FetchableTopicResponse topic : fetch.responses()) {
            for (FetchResponseData.PartitionData partition : topic.partitions()) {
                if (partition.errorCode() != 0) {
                    return UNKNOWN;
                }
                parts++;
            }
        }
        return parts;
    }

    /** The response that has this body. */
    static AbstractResponse response(ApiKeys api, ApiMessage body, short version) {
        if (body instanceof HeartbeatResponseData heartbeat) {
            return new HeartbeatResponse(heartbeat);
        }
        if (body instanceof SyncGroupResponseData sync) {
            return new SyncGroupResponse(sync);
        }
        if (body instanceof ConsumerGroupHeartbeatResponseData heartbeat) {
            return new ConsumerGroupHeartbeatResponse(heartbeat);
        }
        if (body instanceof FindCoordinatorResponseData coordinators) {
            return new FindCoordinatorResponse(coordinators);
        }
        return AbstractResponse.parseResponse(api, MessageUtil.toByteBufferAccessor(body, version), version);
    }

    /** The response that has these bytes as its body. */
    static AbstractResponse response(ApiKeys api, ByteBuffer body, short version) {
        return AbstractResponse.parseResponse(api, new ByteBufferAccessor(body.duplicate()), version);
    }
}
