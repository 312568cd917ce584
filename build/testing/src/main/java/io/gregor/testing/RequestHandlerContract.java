package io.gregor.testing;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gregor.api.RequestHandler;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/**
 * What every {@link RequestHandler} has promised, as tests: extend it, and say which handler and which requests. Owned by the
 * test's thread.
 */
public abstract class RequestHandlerContract {
    private static final int FIRST_NEW_KEY = 10_000;
    private static final int THREADS = 8;
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration NO_SECOND_ANSWER = Duration.ofMillis(100);

    /** For the one who extends it. */
    protected RequestHandlerContract() {}

    /** The handler, made as Declarative Services makes it; the same or another one at each call. */
    protected abstract RequestHandler handler();

    /** Requests that it serves, at least one; new ones at each call. */
    protected abstract List<FakeRequest> requests();

    @Test
    void answersEachRequestExactlyOnce() {
        RequestHandler handler = handler();
        List<FakeRequest> requests = requests();
        assertFalse(requests.isEmpty(), "requests() must name at least one");

        requests.forEach(handler::handle);

        assertAnsweredOnce(requests);
    }

    @Test
    void servesManyThreadsAtATime() {
        RequestHandler handler = handler();
        List<FakeRequest> all = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<CompletableFuture<Void>> calls = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                List<FakeRequest> own = requests();
                all.addAll(own);
                calls.add(CompletableFuture.runAsync(() -> own.forEach(handler::handle), threads));
            }
            calls.forEach(CompletableFuture::join);
        } finally {
            threads.shutdown();
        }

        assertAnsweredOnce(all);
    }

    /** A stranger may send anything as the body of a new API key: it is refused, by an answer or a fault, and not forgotten. */
    @Test
    void leavesNoStrangeBodyWithoutAnAnswer() {
        RequestHandler handler = handler();
        for (FakeRequest example : requests()) {
            for (byte[] body : List.of(new byte[0], new byte[] {-1}, new byte[] {127, -1, -1, -1, 0, 1})) {
                if (example.apiKey() >= FIRST_NEW_KEY) {
                    assertRefusedOrAnswered(
                            handler,
                            FakeRequest.ofBytes(example.apiKey(), example.apiVersion(), ByteBuffer.wrap(body)));
                }
            }
        }
    }

    @Test
    void declaresWhatItServes() {
        ComponentProperties declared = ComponentProperties.required(handler().getClass());
        List<Integer> keys = declared.numbers("api.key");
        long min = declared.number("api.min.version", 0);
        long max = declared.number("api.max.version", 0);

        assertFalse(keys.isEmpty(), "@ServesApi must name an api_key");
        assertTrue(keys.stream().allMatch(key -> key >= 0 && key <= Short.MAX_VALUE), "api.key=" + keys);
        assertTrue(List.of("broker", "controller").containsAll(declared.all("role")), "role=" + declared.all("role"));
        assertTrue(
                min >= 0 && min <= max && max <= Short.MAX_VALUE, "api.min.version=" + min + " api.max.version=" + max);
        for (FakeRequest example : requests()) {
            assertTrue(keys.contains((int) example.apiKey()), "not declared: apiKey=" + example.apiKey());
            assertTrue(
                    example.apiKey() < FIRST_NEW_KEY || (example.apiVersion() >= min && example.apiVersion() <= max),
                    "not declared: apiVersion=" + example.apiVersion());
        }
    }

    private static void assertRefusedOrAnswered(RequestHandler handler, FakeRequest request) {
        try {
            handler.handle(request);
        } catch (RuntimeException refused) {
            assertEquals(List.of(), request.answers(), "answered and failed: " + refused);
            return;
        }
        assertAnsweredOnce(List.of(request));
    }

    private static void assertAnsweredOnce(List<FakeRequest> requests) {
        await("waiting for an answer to each request").atMost(LIMIT).until(() -> requests.stream()
                .noneMatch(request -> request.answers().isEmpty()));
        await("waiting for no second answer")
                .during(NO_SECOND_ANSWER)
                .atMost(LIMIT)
                .until(() ->
                        requests.stream().allMatch(request -> request.answers().size() == 1));
    }
}
