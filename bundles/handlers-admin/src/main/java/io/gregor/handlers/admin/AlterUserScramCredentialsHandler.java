package io.gregor.handlers.admin;

import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.broker.Forwarding;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** AlterUserScramCredentials: the controller stores and deletes them. Immutable. */
@Component(service = RequestHandler.class)
@ServesApi(api_key = 51, api_brief = true)
public final class AlterUserScramCredentialsHandler extends ForwardedHandler {
    /** Made by the service registry. */
    @Activate
    public AlterUserScramCredentialsHandler(@Reference Forwarding forwarding) {
        super(forwarding);
    }
}
