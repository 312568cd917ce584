package io.gregor.testing;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.gregor.api.RequestFilter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * What every {@link RequestFilter} has promised, as tests: extend it, and say which filter, and which requests and responses.
 * Owned by the test's thread.
 */
public abstract class RequestFilterContract {
    private static final int THREADS = 8;
    private static final int WARM_UP = 20;
    private static final long TIME_MS = 100;
    private static final long ALLOCATED_BYTES = 16 * 1024 * 1024;

    /** For the one who extends it. */
    protected RequestFilterContract() {}

    /** The filter, made as Declarative Services makes it; the same or another one at each call. */
    protected abstract RequestFilter filter();

    /** Requests that it sees, at least one; new ones at each call. */
    protected abstract List<FakeFilteredRequest> requests();

    /**
     * The response to one of the requests, after the filter has seen that, for a filter of responses.
     *
     * @return what {@code FakeFilteredResponse.to} makes; nothing if the filter does not look at responses
     */
    protected List<FakeFilteredResponse> responses(FakeFilteredRequest request) {
        return List.of();
    }

    @Test
    void failsForNoneOfItsRequests() {
        RequestFilter filter = filter();
        List<FakeFilteredRequest> requests = requests();
        assertFalse(requests.isEmpty(), "requests() must name at least one");

        requests.forEach(request -> pass(filter, request));
    }

    @Test
    void servesManyThreadsAtATime() {
        RequestFilter filter = filter();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<CompletableFuture<Void>> calls = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                List<FakeFilteredRequest> own = requests();
                calls.add(CompletableFuture.runAsync(() -> own.forEach(request -> pass(filter, request)), threads));
            }
            calls.forEach(CompletableFuture::join);
        } finally {
            threads.shutdown();
        }
    }

    /** Of several calls the best counts, since build machines are slow and shared. */
    @Test
    void keepsWithinItsBudget() {
        RequestFilter filter = filter();
        ComponentProperties declared = ComponentProperties.of(filter.getClass()).orElse(null);
        long limitMs = declared == null ? TIME_MS : declared.number("filter.time.ms", TIME_MS);
        long limitBytes =
                declared == null ? ALLOCATED_BYTES : declared.number("filter.allocated.bytes", ALLOCATED_BYTES);
        for (int kind = 0; kind < requests().size(); kind++) {
            long bestNs = Long.MAX_VALUE;
            long leastBytes = Long.MAX_VALUE;
            for (int i = 0; i < WARM_UP; i++) {
                FakeFilteredRequest request = requests().get(kind);
                long beganBytes = allocatedBytes();
                long beganNs = System.nanoTime();
                filter.filterRequest(request);
                bestNs = Math.min(bestNs, System.nanoTime() - beganNs);
                leastBytes = Math.min(leastBytes, allocatedBytes() - beganBytes);
            }
            long tookMs = TimeUnit.NANOSECONDS.toMillis(bestNs);
            assertTrue(tookMs <= limitMs, "over filter.time.ms=" + limitMs + ": tookMs=" + tookMs);
            assertTrue(
                    leastBytes <= limitBytes,
                    "over filter.allocated.bytes=" + limitBytes + ": allocatedBytes=" + leastBytes);
        }
    }

    @Test
    void declaresWhatItSees() {
        ComponentProperties declared = ComponentProperties.required(filter().getClass());
        List<Integer> keys = declared.numbers("api.key");
        long timeMs = declared.number("filter.time.ms", TIME_MS);

        assertFalse(keys.isEmpty(), "@FiltersApis must name an api_key");
        assertTrue(keys.stream().allMatch(key -> key >= 0 && key <= Short.MAX_VALUE), "api.key=" + keys);
        assertTrue(List.of("broker", "controller").containsAll(declared.all("role")), "role=" + declared.all("role"));
        assertTrue(
                List.of("open", "closed").containsAll(declared.all("filter.fails")),
                "filter.fails=" + declared.all("filter.fails"));
        assertTrue(timeMs >= 1, "filter.time.ms=" + timeMs + " must be >= 1");
        assertTrue(declared.number("filter.limit.ms", timeMs) >= timeMs, "filter.limit.ms is below filter.time.ms");
        for (String name : List.of("filter.allocated.bytes", "filter.faults", "filter.window.ms")) {
            assertTrue(declared.number(name, 1) >= 1, name + " must be >= 1");
        }
        for (FakeFilteredRequest example : requests()) {
            assertTrue(keys.contains((int) example.apiKey()), "not declared: apiKey=" + example.apiKey());
        }
    }

    private void pass(RequestFilter filter, FakeFilteredRequest request) {
        filter.filterRequest(request);
        responses(request).forEach(filter::filterResponse);
    }

    private static long allocatedBytes() {
        return ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads
                ? threads.getCurrentThreadAllocatedBytes()
                : 0;
    }
}
