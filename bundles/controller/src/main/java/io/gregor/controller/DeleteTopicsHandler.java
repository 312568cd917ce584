package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.controller.internal.TopicDeletion;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.NodeConfig;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.TopicDeletionDisabledException;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsResponseData.DeletableTopicResultCollection;
import org.apache.kafka.common.requests.DeleteTopicsRequest;
import org.apache.kafka.common.requests.DeleteTopicsResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.server.config.ServerConfigs;
import org.apache.kafka.server.quota.ControllerMutationQuota;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Deletes topics, named by name or by id. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 20, role = "controller", api_brief = true)
public final class DeleteTopicsHandler implements RequestHandler {
    private static final short FIRST_VERSION_WITH_OWN_ERROR = 3;

    /** From this version on what exceeds a quota is refused. */
    private static final int STRICT_QUOTA = 5;

    private final ControllerCalls calls;
    private final boolean isEnabled;

    /** Asks the controller through these calls, if {@code delete.topic.enable} allows. */
    @Activate
    public DeleteTopicsHandler(@Reference ControllerCalls calls, @Reference NodeConfig config) {
        this.calls = calls;
        isEnabled = config.values().getBoolean(ServerConfigs.DELETE_TOPIC_ENABLE_CONFIG);
    }

    @Override
    public void handle(Request request) {
        if (!isEnabled) {
            throw request.apiVersion() < FIRST_VERSION_WITH_OWN_ERROR
                    ? new InvalidRequestException("This version does not support topic deletion.")
                    : new TopicDeletionDisabledException();
        }
        DeleteTopicsRequest body = request.body(DeleteTopicsRequest.class);
        ControllerMutationQuota quota = calls.mutations(request, STRICT_QUOTA);
        TopicDeletion deletion = new TopicDeletion(
                calls.controller(),
                ControllerCalls.context(request, body.data().timeoutMs(), quota),
                names -> rights(request.context(), names));
        ControllerCalls.answer(
                request,
                quota,
                deletion.delete(body.data()),
                results -> new DeleteTopicsResponse(new DeleteTopicsResponseData()
                        .setResponses(new DeletableTopicResultCollection(results.iterator()))));
    }

    private TopicDeletion.Rights rights(RequestContext who, Set<String> names) {
        Authorization authorization = calls.authorization();
        if (authorization.isAllowed(
                who, AclOperation.DELETE, ResourceType.CLUSTER, Resource.CLUSTER_NAME, true, false)) {
            return new TopicDeletion.Rights(names, names);
        }
        return new TopicDeletion.Rights(
                authorization.allowed(who, AclOperation.DESCRIBE, ResourceType.TOPIC, names, name -> name),
                authorization.allowed(who, AclOperation.DELETE, ResourceType.TOPIC, names, name -> name));
    }
}
