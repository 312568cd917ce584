package io.gregor.handlers.admin;

import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.broker.Forwarding;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** UpdateFeatures: the controller finalizes feature levels (KIP-584). Immutable. */
@Component(service = RequestHandler.class)
@ServesApi(api_key = 57, api_brief = true)
public final class UpdateFeaturesHandler extends ForwardedHandler {
    /** Made by the service registry. */
    @Activate
    public UpdateFeaturesHandler(@Reference Forwarding forwarding) {
        super(forwarding);
    }
}
