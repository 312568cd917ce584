package io.gregor.testsupport.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.api.RequestHandler;
import io.gregor.testing.FakeRequest;
import io.gregor.testing.RequestHandlerContract;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DelayedGreetingHandlerTest extends RequestHandlerContract {
    private final DelayedGreetingHandler handler = new DelayedGreetingHandler();

    @AfterEach
    void stop() {
        handler.stop();
    }

    @Override
    protected RequestHandler handler() {
        return handler;
    }

    @Override
    protected List<FakeRequest> requests() {
        return List.of(greeting("world"), greeting(""));
    }

    @Test
    void answersLater() {
        FakeRequest request = greeting("world");

        handler.handle(request);

        await().until(() -> !request.answers().isEmpty());
        assertThat(request.answer()).isEqualTo(UTF_8.encode("hello, world"));
    }

    private static FakeRequest greeting(String name) {
        return FakeRequest.ofBytes(DelayedGreetingHandler.API_KEY, 0, UTF_8.encode(name));
    }
}
