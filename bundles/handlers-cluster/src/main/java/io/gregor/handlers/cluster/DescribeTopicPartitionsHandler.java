package io.gregor.handlers.cluster;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.cluster.internal.TopicPages;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.NodeConfig;
import org.apache.kafka.common.requests.DescribeTopicPartitionsRequest;
import org.apache.kafka.common.requests.DescribeTopicPartitionsResponse;
import org.apache.kafka.server.config.ServerConfigs;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/** Immutable. Describes topics and their partitions page by page (KIP-966). */
@Component(configurationPid = Configurations.BROKER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 75)
public final class DescribeTopicPartitionsHandler implements RequestHandler {
    private final TopicPages pages;

    /** Reads the limit of a page. */
    @Activate
    public DescribeTopicPartitionsHandler(
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization,
            @Reference NodeConfig config) {
        pages = new TopicPages(
                metadata, authorization, config.values().getInt(ServerConfigs.MAX_REQUEST_PARTITION_SIZE_LIMIT_CONFIG));
    }

    @Override
    public void handle(Request request) {
        request.respond(new DescribeTopicPartitionsResponse(
                pages.page(request.body(DescribeTopicPartitionsRequest.class).data(), request.context())));
    }
}
