package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.node.Configurations;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.requests.AlterClientQuotasRequest;
import org.apache.kafka.common.requests.AlterClientQuotasResponse;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Changes client quotas. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 49, role = "controller", api_brief = true)
public final class AlterClientQuotasHandler implements RequestHandler {
    private final ControllerCalls calls;

    /** Asks the controller through these calls. */
    @Activate
    public AlterClientQuotasHandler(@Reference ControllerCalls calls) {
        this.calls = calls;
    }

    @Override
    public void handle(Request request) {
        calls.requireCluster(request, AclOperation.ALTER_CONFIGS);
        AlterClientQuotasRequest body = request.body(AlterClientQuotasRequest.class);
        ControllerCalls.answer(
                request,
                calls.controller()
                        .alterClientQuotas(ControllerCalls.context(request), body.entries(), body.validateOnly()),
                results -> AlterClientQuotasResponse.fromQuotaEntities(results, 0));
    }
}
