package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import org.apache.kafka.common.requests.PushTelemetryRequest;
import org.apache.kafka.server.ClientMetricsManager;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** PushTelemetry: hands the metrics of a client to those who receive them (KIP-714). Immutable. */
@Component
@ServesApi(api_key = 72)
public final class PushTelemetryHandler implements RequestHandler {
    private final ClientMetricsManager manager;

    /** There from the first receiver of clients' metrics on. */
    @Activate
    public PushTelemetryHandler(@Reference(target = "(role=broker)") ClientMetricsManager manager) {
        this.manager = manager;
    }

    @Override
    public void handle(Request request) {
        request.respond(
                manager.processPushTelemetryRequest(request.body(PushTelemetryRequest.class), request.context()));
    }
}
