package io.gregor.itest.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.itest.RawClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeClusterRequest;
import org.apache.kafka.common.requests.DescribeClusterResponse;

/** Connections that ask DescribeCluster, one after the other. Owned by the test thread. */
final class Askers implements AutoCloseable {
    private static final DescribeClusterRequest REQUEST =
            new DescribeClusterRequest(new DescribeClusterRequestData(), (short) 1);

    private final List<RawClient> clients = new ArrayList<>();
    private int correlationId;

    /** Connects so many. */
    static Askers connect(int port, int count) throws IOException {
        Askers askers = new Askers();
        for (int i = 0; i < count; i++) {
            askers.clients.add(RawClient.connect(port));
        }
        return askers;
    }

    /** Asks once over each connection, and returns the ids that they were told; an error counts as its name. */
    List<String> ask() throws IOException {
        correlationId++;
        for (RawClient client : clients) {
            client.send(REQUEST, correlationId);
        }
        List<String> answers = new ArrayList<>();
        for (RawClient client : clients) {
            DescribeClusterResponseData answer = ((DescribeClusterResponse)
                            client.receive(REQUEST.apiKey(), REQUEST.version(), correlationId))
                    .data();
            Errors error = Errors.forCode(answer.errorCode());
            answers.add(error == Errors.NONE ? answer.clusterId() : error.name());
        }
        return answers;
    }

    /** Asserts that each connection is told this. */
    void assertAll(String told) throws IOException {
        assertThat(ask()).hasSameSizeAs(clients).containsOnly(told);
    }

    @Override
    public void close() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
    }
}
