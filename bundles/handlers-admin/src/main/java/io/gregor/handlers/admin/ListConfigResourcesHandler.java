package io.gregor.handlers.admin;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.ListConfigResourcesResponseData;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ListConfigResourcesRequest;
import org.apache.kafka.common.requests.ListConfigResourcesResponse;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** ListConfigResources: what DescribeConfigs can be asked about (KIP-1142). Immutable. */
@Component
@ServesApi(api_key = 74)
public final class ListConfigResourcesHandler implements RequestHandler {
    /** The order in which Kafka lists them. */
    private static final List<ConfigResource.Type> ORDER = List.of(
            ConfigResource.Type.GROUP,
            ConfigResource.Type.CLIENT_METRICS,
            ConfigResource.Type.BROKER_LOGGER,
            ConfigResource.Type.BROKER,
            ConfigResource.Type.TOPIC);

    private final Authorization authorization;
    private final ServedMetadata metadata;

    /** Made by the service registry. */
    @Activate
    public ListConfigResourcesHandler(
            @Reference(target = "(role=broker)") Authorization authorization,
            @Reference(target = "(role=broker)") ServedMetadata metadata) {
        this.authorization = authorization;
        this.metadata = metadata;
    }

    @Override
    public void handle(Request request) {
        authorization.requireCluster(request.context(), AclOperation.DESCRIBE_CONFIGS);
        ListConfigResourcesRequest asked = request.body(ListConfigResourcesRequest.class);
        Set<Byte> supported = asked.supportedResourceTypes();
        List<Byte> wanted = asked.data().resourceTypes();
        ListConfigResourcesResponseData answer = new ListConfigResourcesResponseData();
        if (!supported.containsAll(wanted)) {
            request.respond(new ListConfigResourcesResponse(answer.setErrorCode(Errors.UNSUPPORTED_VERSION.code())));
            return;
        }
        for (ConfigResource.Type type : ORDER) {
            if ((wanted.isEmpty() ? supported : wanted).contains(type.id())) {
                answer.configResources().addAll(resources(type, request.context().listenerName));
            }
        }
        request.respond(new ListConfigResourcesResponse(answer));
    }

    private List<ListConfigResourcesResponseData.ConfigResource> resources(
            ConfigResource.Type type, ListenerName listener) {
        Stream<String> names =
                switch (type) {
                    case TOPIC -> metadata.cache().getAllTopics().stream();
                    case BROKER, BROKER_LOGGER ->
                        metadata.cache().getBrokerNodes(listener).stream().map(Node::idString);
                    default ->
                        metadata.image().configs().resourceData().keySet().stream()
                                .filter(resource -> resource.type() == type)
                                .map(ConfigResource::name);
                };
        List<ListConfigResourcesResponseData.ConfigResource> rows = new ArrayList<>();
        names.forEach(name -> rows.add(new ListConfigResourcesResponseData.ConfigResource()
                .setResourceName(name)
                .setResourceType(type.id())));
        return rows;
    }
}
