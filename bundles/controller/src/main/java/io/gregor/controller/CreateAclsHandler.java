package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.controller.internal.AclChanges;
import io.gregor.controller.internal.AclCreations;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.metadata.ShownAcls;
import io.gregor.internal.node.Configurations;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.CreateAclsResponseData;
import org.apache.kafka.common.requests.CreateAclsRequest;
import org.apache.kafka.common.requests.CreateAclsResponse;
import org.apache.kafka.server.authorizer.AclCreateResult;
import org.apache.kafka.server.authorizer.Authorizer;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Creates ACLs; the answer waits until they count on this controller. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 30, role = "controller", api_brief = true)
public final class CreateAclsHandler implements RequestHandler {
    private final ControllerCalls calls;
    private final AclChanges changes;
    private final WaitingAclChanges waiting;

    /** Asks the authorizer, which asks the controller. */
    @Activate
    public CreateAclsHandler(
            @Reference ControllerCalls calls,
            @Reference(target = "(role=controller)") ServedMetadata metadata,
            @Reference WaitingAclChanges waiting) {
        this.calls = calls;
        this.waiting = waiting;
        this.changes = new AclChanges(calls.authorization(), metadata);
    }

    @Override
    public void handle(Request request) {
        calls.requireCluster(request, AclOperation.ALTER);
        Authorizer authorizer = changes.authorizer();
        AclCreations creations =
                AclCreations.of(request.body(CreateAclsRequest.class).aclCreations());
        ControllerCalls.answer(
                request,
                waiting.count(AclChanges.all(authorizer.createAcls(request.context(), creations.valid()))
                        .thenCompose(results -> shown(creations, results))),
                results -> new CreateAclsResponse(new CreateAclsResponseData().setResults(creations.results(results))));
    }

    private CompletionStage<List<AclCreateResult>> shown(AclCreations creations, List<AclCreateResult> results) {
        List<AclBinding> created = creations.created(results);
        return changes.shown(results, created, ShownAcls.present(created));
    }
}
