package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.controller.internal.Distinct;
import io.gregor.internal.node.Configurations;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreatePartitionsResponseData.CreatePartitionsTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.CreatePartitionsRequest;
import org.apache.kafka.common.requests.CreatePartitionsResponse;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.server.quota.ControllerMutationQuota;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Adds partitions to topics. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 37, role = "controller", api_brief = true)
public final class CreatePartitionsHandler implements RequestHandler {
    /** From this version on what exceeds a quota is refused. */
    private static final int STRICT_QUOTA = 3;

    private final ControllerCalls calls;

    /** Asks the controller through these calls. */
    @Activate
    public CreatePartitionsHandler(@Reference ControllerCalls calls) {
        this.calls = calls;
    }

    @Override
    public void handle(Request request) {
        CreatePartitionsRequestData data =
                request.body(CreatePartitionsRequest.class).data();
        Distinct<String> names = new Distinct<>();
        data.topics().forEach(topic -> names.add(topic.name()));
        Set<String> alterable = calls.authorization()
                .allowed(request.context(), AclOperation.ALTER, ResourceType.TOPIC, names.once(), name -> name);
        List<CreatePartitionsTopic> allowed = data.topics().stream()
                .filter(topic -> alterable.contains(topic.name()))
                .toList();
        ControllerMutationQuota quota = calls.mutations(request, STRICT_QUOTA);
        ControllerCalls.answer(
                request,
                quota,
                calls.controller()
                        .createPartitions(
                                ControllerCalls.context(request, data.timeoutMs(), quota),
                                allowed,
                                data.validateOnly()),
                created -> new CreatePartitionsResponse(
                        new CreatePartitionsResponseData().setResults(withRefused(created, names, alterable))));
    }

    private static List<CreatePartitionsTopicResult> withRefused(
            List<CreatePartitionsTopicResult> created, Distinct<String> names, Set<String> alterable) {
        List<CreatePartitionsTopicResult> results = new ArrayList<>();
        names.repeated()
                .forEach(name -> results.add(new CreatePartitionsTopicResult()
                        .setName(name)
                        .setErrorCode(Errors.INVALID_REQUEST.code())
                        .setErrorMessage("Duplicate topic name.")));
        names.once().stream()
                .filter(name -> !alterable.contains(name))
                .forEach(name -> results.add(new CreatePartitionsTopicResult()
                        .setName(name)
                        .setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code())));
        results.addAll(created);
        return results;
    }
}
