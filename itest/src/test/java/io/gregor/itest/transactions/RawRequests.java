package io.gregor.itest.transactions;

import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;

/** Requests in versions that no present client sends, each on a connection of its own. Owned by the test thread. */
final class RawRequests {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Set<Errors> PASSING = EnumSet.of(
            Errors.CONCURRENT_TRANSACTIONS,
            Errors.COORDINATOR_LOAD_IN_PROGRESS,
            Errors.COORDINATOR_NOT_AVAILABLE,
            Errors.NOT_COORDINATOR);

    private final GregorProcess node;
    private int correlation;

    RawRequests(GregorProcess node) {
        this.node = node;
    }

    AbstractResponse call(ApiKeys key, int version, ApiMessage body) throws IOException {
        try (RawClient client = RawClient.connect(node.port())) {
            AbstractRequest request = AbstractRequest.parseRequest(
                            key, (short) version, MessageUtil.toByteBufferAccessor(body, (short) version))
                    .request;
            return client.call(request, ++correlation);
        }
    }

    /** Of a response that has one error. */
    Errors error(ApiKeys key, int version, ApiMessage body) throws IOException {
        return call(key, version, body).errorCounts().keySet().iterator().next();
    }

    /** The response that is there to stay: not that a coordinator comes, or that the transaction before is being completed. */
    AbstractResponse settledCall(ApiKeys key, int version, ApiMessage body) {
        return await().atMost(LIMIT)
                .until(() -> call(key, version, body), response -> response.errorCounts().keySet().stream()
                        .noneMatch(PASSING::contains));
    }

    /** The error of {@link #settledCall}. */
    Errors settled(ApiKeys key, int version, ApiMessage body) {
        return settledCall(key, version, body).errorCounts().keySet().iterator().next();
    }
}
