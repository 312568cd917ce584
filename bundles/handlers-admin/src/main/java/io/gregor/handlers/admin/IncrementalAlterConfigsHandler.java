package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.admin.internal.IncrementalConfigs;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** IncrementalAlterConfigs: sets, deletes, appends to and subtracts from settings of resources (KIP-339). Immutable. */
@Component
@ServesApi(api_key = 44, api_brief = true)
public final class IncrementalAlterConfigsHandler implements RequestHandler {
    private final ConfigAlteration alteration;

    /** Made by the service registry. */
    @Activate
    public IncrementalAlterConfigsHandler(@Reference ConfigAlteration alteration) {
        this.alteration = alteration;
    }

    @Override
    public void handle(Request request) {
        alteration.handle(
                request,
                new IncrementalConfigs(
                        request.body(IncrementalAlterConfigsRequest.class).data(), request.apiVersion()));
    }
}
