package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.groups.internal.Answer;
import io.gregor.internal.dispatch.Authorization;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.message.DeleteGroupsResponseData.DeletableGroupResult;
import org.apache.kafka.common.message.DeleteGroupsResponseData.DeletableGroupResultCollection;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DeleteGroupsRequest;
import org.apache.kafka.common.requests.DeleteGroupsResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** DeleteGroups: each group has its own result. */
@Component
@ServesApi(api_key = 42)
public final class DeleteGroupsHandler implements RequestHandler {
    /** GROUP_DELETION_FAILED is not known to clients of older versions. */
    private static final short DELETION_FAILED_MIN_VERSION = 3;

    private final GroupCoordinator coordinator;
    private final Authorization authorization;

    /** Serves from this coordinator. */
    @Activate
    public DeleteGroupsHandler(
            @Reference(target = "(role=broker)") GroupCoordinator coordinator,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.coordinator = coordinator;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        RequestContext who = request.context();
        List<String> names = request.body(DeleteGroupsRequest.class).data().groupsNames().stream()
                .distinct()
                .toList();
        Set<String> allowed = authorization.allowed(who, AclOperation.DELETE, ResourceType.GROUP, names, name -> name);
        List<String> deletable = names.stream().filter(allowed::contains).toList();
        var deletion = coordinator
                .deleteGroups(who, deletable, request.local().bufferSupplier())
                .exceptionally(fault -> failed(deletable, Errors.forException(fault)));
        Answer.response(request, deletion, results -> {
            if (request.apiVersion() < DELETION_FAILED_MIN_VERSION) {
                results.forEach(DeleteGroupsHandler::translate);
            }
            for (String name : names) {
                if (!allowed.contains(name)) {
                    results.add(result(name, Errors.GROUP_AUTHORIZATION_FAILED));
                }
            }
            return new DeleteGroupsResponse(new DeleteGroupsResponseData().setResults(results));
        });
    }

    private static DeletableGroupResultCollection failed(List<String> names, Errors error) {
        DeletableGroupResultCollection results = new DeletableGroupResultCollection();
        names.forEach(name -> results.add(result(name, error)));
        return results;
    }

    private static DeletableGroupResult result(String name, Errors error) {
        return new DeletableGroupResult().setGroupId(name).setErrorCode(error.code());
    }

    private static void translate(DeletableGroupResult result) {
        if (result.errorCode() == Errors.GROUP_DELETION_FAILED.code()) {
            result.setErrorCode(Errors.UNKNOWN_SERVER_ERROR.code());
        }
    }
}
