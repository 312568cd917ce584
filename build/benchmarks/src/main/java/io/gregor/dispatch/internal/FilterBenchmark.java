package io.gregor.dispatch.internal;

import io.gregor.api.FilteredRequest;
import io.gregor.api.FilteredResponse;
import io.gregor.api.RequestFilter;
import io.gregor.internal.request.Outgoing;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.HeartbeatRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.server.common.RequestLocal;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A request from the moment its handler thread has taken it until its response is posted: with filters that look at it and
 * let it pass, with none, and without even the question whether there are some. Owned by the thread of the benchmark.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FilterBenchmark {
    private static final short VERSION = 4;

    /** How many filters there are. */
    @Param({"0", "1", "5"})
    public int filters;

    /** Whether they see the response, too. */
    @Param({"request", "request+response"})
    public String sees = "request";

    private final BenchedDispatch node = new BenchedDispatch();
    private final BenchedConnection connection = new BenchedConnection();
    private final RequestLocal local = RequestLocal.noCaching();
    private final ByteBuffer frame = ByteBuffer.allocate(64);
    private final ByteBuffer answer = MessageUtil.toByteBufferAccessor(new HeartbeatResponseData(), VERSION)
            .buffer();
    private final ParsedFrame parsed = new ParsedFrame(
            new RequestContext(
                    new RequestHeader(ApiKeys.HEARTBEAT, VERSION, "bench", 7),
                    connection.id(),
                    connection.clientAddress(),
                    Optional.of(connection.clientPort()),
                    connection.principal(),
                    connection.listener(),
                    connection.protocol(),
                    ClientInformation.EMPTY,
                    false,
                    Optional.empty()),
            new HeartbeatRequest.Builder(new HeartbeatRequestData().setGroupId("g")).build(VERSION),
            0,
            64);

    /** A handler that answers at once, and the filters. */
    @Setup
    public void set() {
        node.serve(ApiKeys.HEARTBEAT.id, request -> request.respondBytes(answer));
        for (int i = 0; i < filters; i++) {
            node.filter(ApiKeys.HEARTBEAT.id, sees.equals("request") ? new Looking() : new LookingBothWays());
        }
    }

    /** The watch ends. */
    @TearDown
    public void close() {
        node.close();
    }

    /** As requests are dispatched. */
    @Benchmark
    public Outgoing dispatched() {
        DispatchedRequest request = request();
        request.useLocal(local);
        node.dispatcher().serve(request);
        return connection.posted();
    }

    /** Without the question for filters: what there would be if there were none in this program. */
    @Benchmark
    public Outgoing withoutTheQuestion() {
        DispatchedRequest request = request();
        request.useLocal(local);
        node.dispatcher().handle(request, 0);
        return connection.posted();
    }

    private DispatchedRequest request() {
        ReceivedFrame received = new ReceivedFrame(connection, frame, 1, BenchedConnection.NOTHING, true);
        return new DispatchedRequest(node.dispatcher(), received, parsed, false);
    }

    /** Looks at requests. Shared: any thread. */
    private static class Looking implements RequestFilter {
        private volatile int seen;

        @Override
        public void filterRequest(FilteredRequest request) {
            if (request.apiVersion() > VERSION) {
                seen = request.body(HeartbeatRequest.class).data().generationId();
            }
        }

        int seen() {
            return seen;
        }
    }

    /** Looks at responses, too. Shared: any thread. */
    private static final class LookingBothWays extends Looking {
        @Override
        public void filterResponse(FilteredResponse response) {
            if (response.apiVersion() > VERSION) {
                throw new IllegalStateException("seen " + seen());
            }
        }
    }
}
