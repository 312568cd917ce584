package io.gregor.example.echo;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import org.osgi.service.component.annotations.Component;

/** Answers with the bytes of the request's body. Immutable. */
@Component
@ServesApi(api_key = EchoHandler.API_KEY, api_brief = true)
public final class EchoHandler implements RequestHandler {
    /** Kafka's own keys end long before; from 10000 on they are free for plugins. */
    static final int API_KEY = 10_000;

    @Override
    public void handle(Request request) {
        request.respondBytes(request.bodyBytes());
    }
}
