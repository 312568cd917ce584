package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import org.apache.kafka.common.requests.GetTelemetrySubscriptionsRequest;
import org.apache.kafka.server.ClientMetricsManager;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** GetTelemetrySubscriptions: which of its metrics a client is asked to push, and how often (KIP-714). Immutable. */
@Component
@ServesApi(api_key = 71)
public final class GetTelemetrySubscriptionsHandler implements RequestHandler {
    private final ClientMetricsManager manager;

    /** There from the first receiver of clients' metrics on. */
    @Activate
    public GetTelemetrySubscriptionsHandler(@Reference(target = "(role=broker)") ClientMetricsManager manager) {
        this.manager = manager;
    }

    @Override
    public void handle(Request request) {
        request.respond(manager.processGetTelemetrySubscriptionRequest(
                request.body(GetTelemetrySubscriptionsRequest.class), request.context()));
    }
}
