package io.gregor.handlers.admin;

import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.broker.Forwarding;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** AlterClientQuotas: the controller changes quotas of users, client ids and addresses (KIP-546, KIP-612). Immutable. */
@Component(service = RequestHandler.class)
@ServesApi(api_key = 49, api_brief = true)
public final class AlterClientQuotasHandler extends ForwardedHandler {
    /** Made by the service registry. */
    @Activate
    public AlterClientQuotasHandler(@Reference Forwarding forwarding) {
        super(forwarding);
    }
}
