package ${package};

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gregor.api.RequestHandler;
import io.gregor.testing.FakeRequest;
import io.gregor.testing.RequestHandlerContract;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.junit.jupiter.api.Test;

class GreetingHandlerTest extends RequestHandlerContract {

    @Override
    protected RequestHandler handler() {
        return new GreetingHandler();
    }

    @Override
    protected List<FakeRequest> requests() {
        return List.of(greeting("world"));
    }

    @Test
    void greetsByName() {
        FakeRequest request = greeting("world");

        handler().handle(request);

        assertEquals(UTF_8.encode("hello, world"), request.answer());
    }

    @Test
    void refusesToGreetNobody() {
        assertThrows(InvalidRequestException.class, () -> handler().handle(greeting("")));
    }

    private static FakeRequest greeting(String name) {
        ByteBuffer body = UTF_8.encode(name);
        return FakeRequest.ofBytes(GreetingHandler.API_KEY, 0, body);
    }
}
