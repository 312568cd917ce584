package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.admin.internal.ReplacedConfigs;
import org.apache.kafka.common.requests.AlterConfigsRequest;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** AlterConfigs: replaces all settings of resources. Immutable. */
@Component
@ServesApi(api_key = 33, api_brief = true)
public final class AlterConfigsHandler implements RequestHandler {
    private final ConfigAlteration alteration;

    /** Made by the service registry. */
    @Activate
    public AlterConfigsHandler(@Reference ConfigAlteration alteration) {
        this.alteration = alteration;
    }

    @Override
    public void handle(Request request) {
        alteration.handle(
                request,
                new ReplacedConfigs(request.body(AlterConfigsRequest.class).data(), request.apiVersion()));
    }
}
