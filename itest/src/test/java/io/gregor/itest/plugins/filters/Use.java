package io.gregor.itest.plugins.filters;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gregor.api.FilteredRequest;
import io.gregor.api.FilteredResponse;
import io.gregor.api.RequestFilter;
import io.gregor.api.records.EditedProduce;
import io.gregor.api.records.EditedRecords;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.DescribeClusterResponse;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.ProduceRequest;

/** Filters that do what filters are for. Immutable. */
public enum Use implements RequestFilter {
    /** Puts stars in the place of values that are to be written. */
    MASK {
        @Override
        public void filterRequest(FilteredRequest request) {
            request.replaceBody(EditedProduce.edit(
                    request.body(ProduceRequest.class),
                    (topic, partition, records) -> EditedRecords.edit(
                            records, record -> new SimpleRecord(record.timestamp(), null, "***".getBytes(UTF_8)))));
        }
    },
    /** Answers instead of the handler. */
    ANSWER {
        @Override
        public void filterRequest(FilteredRequest request) {
            request.answer(new DescribeClusterResponse(new DescribeClusterResponseData().setClusterId("filtered")));
        }
    },
    /** Lets nobody through. */
    REFUSE {
        @Override
        public void filterRequest(FilteredRequest request) {
            request.refuse(Errors.POLICY_VIOLATION, "not at night");
        }
    },
    /** Adds its name to the answer. */
    OUTER {
        @Override
        public void filterResponse(FilteredResponse response) {
            rename(response, "-outer");
        }
    },
    /** Adds its name to the answer. */
    INNER {
        @Override
        public void filterResponse(FilteredResponse response) {
            rename(response, "-inner");
        }
    },
    /** Tells in the throttle time how many partitions have records that are still in their file, and touches none. */
    COUNT_FILES {
        @Override
        public void filterResponse(FilteredResponse response) {
            FetchResponseData before = response.body(FetchResponse.class).data();
            long inFiles = before.responses().stream()
                    .flatMap(topic -> topic.partitions().stream())
                    .filter(partition -> partition.records() instanceof FileRecords)
                    .count();
            response.replaceBody(FetchResponse.of(new FetchResponseData()
                    .setErrorCode(before.errorCode())
                    .setSessionId(before.sessionId())
                    .setResponses(before.responses())
                    .setThrottleTimeMs(Math.toIntExact(1_000 + inFiles))));
        }
    };

    private static void rename(FilteredResponse response, String suffix) {
        DescribeClusterResponseData data =
                response.body(DescribeClusterResponse.class).data().duplicate();
        response.replaceBody(new DescribeClusterResponse(data.setClusterId(data.clusterId() + suffix)));
    }
}
