package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.controller.internal.Distinct;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.node.Configurations;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.common.requests.CreateTopicsResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.server.quota.ControllerMutationQuota;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Creates topics. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 19, role = "controller", api_brief = true)
public final class CreateTopicsHandler implements RequestHandler {
    /** From this version on what exceeds a quota is refused. */
    private static final int STRICT_QUOTA = 6;

    private final ControllerCalls calls;

    /** Asks the controller through these calls. */
    @Activate
    public CreateTopicsHandler(@Reference ControllerCalls calls) {
        this.calls = calls;
    }

    @Override
    public void handle(Request request) {
        CreateTopicsRequestData data = request.body(CreateTopicsRequest.class).data();
        Distinct<String> names = new Distinct<>();
        data.topics().forEach(topic -> names.add(topic.name()));
        Set<String> creatable = creatable(request.context(), names.once());
        CreateTopicsRequestData allowed = data.duplicate();
        allowed.topics().removeIf(topic -> !creatable.contains(topic.name()));
        ControllerMutationQuota quota = calls.mutations(request, STRICT_QUOTA);
        ControllerCalls.answer(
                request,
                quota,
                calls.controller()
                        .createTopics(
                                ControllerCalls.context(request, data.timeoutMs(), quota),
                                allowed,
                                describable(request.context(), names.once()),
                                ControllerCalls.isForwarded(request)),
                created -> new CreateTopicsResponse(withRefused(created, names, creatable)));
    }

    private Set<String> creatable(RequestContext who, Set<String> names) {
        Set<String> possible = new LinkedHashSet<>(names);
        possible.remove(Topic.CLUSTER_METADATA_TOPIC_NAME);
        Authorization authorization = calls.authorization();
        return authorization.isAllowed(
                        who, AclOperation.CREATE, ResourceType.CLUSTER, Resource.CLUSTER_NAME, true, false)
                ? possible
                : authorization.allowed(who, AclOperation.CREATE, ResourceType.TOPIC, possible, name -> name);
    }

    private Set<String> describable(RequestContext who, Set<String> names) {
        return names.stream()
                .filter(name -> calls.authorization()
                        .isAllowed(who, AclOperation.DESCRIBE_CONFIGS, ResourceType.TOPIC, name, true, false))
                .collect(Collectors.toSet());
    }

    private static CreateTopicsResponseData withRefused(
            CreateTopicsResponseData created, Distinct<String> names, Set<String> creatable) {
        names.repeated().forEach(name -> refuse(created, name, Errors.INVALID_REQUEST, "Duplicate topic name."));
        for (String name : names.once()) {
            if (name.equals(Topic.CLUSTER_METADATA_TOPIC_NAME)) {
                refuse(created, name, Errors.INVALID_REQUEST, "Creation of internal topic " + name + " is prohibited.");
            } else if (!creatable.contains(name)) {
                refuse(created, name, Errors.TOPIC_AUTHORIZATION_FAILED, "Authorization failed.");
            }
        }
        return created;
    }

    private static void refuse(CreateTopicsResponseData response, String name, Errors error, String message) {
        response.topics()
                .add(new CreatableTopicResult()
                        .setName(name)
                        .setErrorCode(error.code())
                        .setErrorMessage(message));
    }
}
