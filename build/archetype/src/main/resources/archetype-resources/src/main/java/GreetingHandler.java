package ${package};

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import java.nio.ByteBuffer;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.osgi.service.component.annotations.Component;

/** Greets whoever it is told of: a new API, whose body is a name in UTF-8, and whose answer is the greeting. Immutable. */
@Component
@ServesApi(api_key = GreetingHandler.API_KEY)
public final class GreetingHandler implements RequestHandler {
    /** From 10000 on keys are free for plugins. */
    static final int API_KEY = 10_100;

    private static final int LIMIT_BYTES = 1_000;

    @Override
    public void handle(Request request) {
        ByteBuffer body = request.bodyBytes();
        if (!body.hasRemaining() || body.remaining() > LIMIT_BYTES) {
            throw new InvalidRequestException("a name of 1 to " + LIMIT_BYTES + " bytes is needed: bytes=" + body.remaining());
        }
        String name = UTF_8.decode(body).toString();
        request.respondBytes(UTF_8.encode("hello, " + name));
    }
}
