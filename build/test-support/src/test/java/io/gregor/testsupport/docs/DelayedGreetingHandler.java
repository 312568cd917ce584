package io.gregor.testsupport.docs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;

/** The asynchronous handler of {@code docs/write-a-plugin.md}. Shared: any thread. */
@Component
@ServesApi(api_key = DelayedGreetingHandler.API_KEY, api_brief = true)
final class DelayedGreetingHandler implements RequestHandler {
    static final int API_KEY = 10_101;

    private final ExecutorService threads = Executors.newFixedThreadPool(2);

    @Override
    public void handle(Request request) {
        String name = UTF_8.decode(request.bodyBytes()).toString();
        CompletableFuture.supplyAsync(() -> lookUp(name), threads).whenComplete((greeting, fault) -> {
            if (fault == null) {
                request.respondBytes(UTF_8.encode(greeting));
            } else {
                request.respondError(fault);
            }
        });
    }

    @Deactivate
    void stop() {
        threads.shutdown();
    }

    private static String lookUp(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a name is needed");
        }
        return "hello, " + name;
    }
}
