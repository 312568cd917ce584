package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.controller.internal.AclChanges;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.metadata.ShownAcls;
import io.gregor.internal.node.Configurations;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.DeleteAclsResponseData;
import org.apache.kafka.common.requests.DeleteAclsRequest;
import org.apache.kafka.common.requests.DeleteAclsResponse;
import org.apache.kafka.server.authorizer.AclDeleteResult;
import org.apache.kafka.server.authorizer.Authorizer;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Deletes ACLs by filters; the answer waits until they count no more on this controller. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 31, role = "controller", api_brief = true)
public final class DeleteAclsHandler implements RequestHandler {
    private final ControllerCalls calls;
    private final AclChanges changes;
    private final WaitingAclChanges waiting;

    /** Asks the authorizer, which asks the controller. */
    @Activate
    public DeleteAclsHandler(
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
        DeleteAclsRequest asked = request.body(DeleteAclsRequest.class);
        ControllerCalls.answer(
                request,
                waiting.count(AclChanges.all(authorizer.deleteAcls(request.context(), asked.filters()))
                        .thenCompose(this::shown)),
                results -> new DeleteAclsResponse(
                        new DeleteAclsResponseData()
                                .setFilterResults(results.stream()
                                        .map(DeleteAclsResponse::filterResult)
                                        .toList()),
                        asked.version()));
    }

    private CompletionStage<List<AclDeleteResult>> shown(List<AclDeleteResult> results) {
        List<AclBinding> deleted = new ArrayList<>();
        results.forEach(result -> result.aclBindingDeleteResults().stream()
                .filter(one -> one.exception().isEmpty())
                .forEach(one -> deleted.add(one.aclBinding())));
        return changes.shown(results, deleted, ShownAcls.absent(deleted));
    }
}
