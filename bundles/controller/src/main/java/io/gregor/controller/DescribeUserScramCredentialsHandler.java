package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.Configurations;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.requests.DescribeUserScramCredentialsRequest;
import org.apache.kafka.common.requests.DescribeUserScramCredentialsResponse;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Tells which users have SCRAM credentials, from the metadata. Stateless. Shared: any thread. */
@Component(configurationPid = Configurations.CONTROLLER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 50, role = "controller", api_brief = true)
public final class DescribeUserScramCredentialsHandler implements RequestHandler {
    private final ControllerCalls calls;
    private final ServedMetadata metadata;

    /** Answers from this metadata. */
    @Activate
    public DescribeUserScramCredentialsHandler(
            @Reference ControllerCalls calls, @Reference(target = "(role=controller)") ServedMetadata metadata) {
        this.calls = calls;
        this.metadata = metadata;
    }

    @Override
    public void handle(Request request) {
        calls.requireCluster(request, AclOperation.DESCRIBE);
        DescribeUserScramCredentialsRequest body = request.body(DescribeUserScramCredentialsRequest.class);
        request.respond(
                new DescribeUserScramCredentialsResponse(metadata.cache().describeScramCredentials(body.data())));
    }
}
