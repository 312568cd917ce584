package io.gregor.handlers.cluster;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.cluster.internal.MetadataAnswers;
import io.gregor.handlers.cluster.internal.MetadataQuestion;
import io.gregor.handlers.cluster.internal.TopicMetadata;
import io.gregor.internal.broker.AutoTopics;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeIdentity;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.config.ServerLogConfigs;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * Shared: handler threads. Tells clients which brokers there are and who leads the partitions of their topics. While the
 * image stays the same, the same question has the same answer, which is kept in its bytes.
 */
@Component(configurationPid = Configurations.BROKER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 3, api_brief = true)
public final class MetadataHandler implements RequestHandler {
    private final ServedMetadata metadata;
    private final Authorization authorization;
    private final NodeIdentity identity;
    private final boolean autoCreate;
    private volatile @Nullable AutoTopics autoTopics;
    private volatile @Nullable MetadataAnswers kept;

    /** Nothing is built before the first request. */
    @Activate
    public MetadataHandler(
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization,
            @Reference NodeConfig config,
            @Reference NodeIdentity identity) {
        this.metadata = metadata;
        this.authorization = authorization;
        this.identity = identity;
        this.autoCreate = config.values().getBoolean(ServerLogConfigs.AUTO_CREATE_TOPICS_ENABLE_CONFIG);
    }

    /** Who creates topics that are asked for. */
    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindAutoTopics(AutoTopics bound) {
        autoTopics = bound;
    }

    void unbindAutoTopics(AutoTopics left) {
        if (autoTopics == left) {
            autoTopics = null;
        }
    }

    @Override
    public void handle(Request request) {
        MetadataAnswers answers = answers();
        MetadataQuestion question = new MetadataQuestion(
                request.context().listenerName,
                request.apiVersion(),
                request.body(MetadataRequest.class).data());
        boolean isOpen = authorization.isOpen();
        MetadataAnswers.Kept known = isOpen ? answers.find(question) : null;
        if (known != null) {
            request.respondBytes(known.body(), known.errorCounts());
            return;
        }
        TopicMetadata builder = new TopicMetadata(
                answers.view(), authorization, identity.clusterId(), autoCreate ? autoTopics : null, request.context());
        TopicMetadata.Answer answer = builder.answer(request.body(MetadataRequest.class));
        MetadataResponse response = new MetadataResponse(answer.response(), request.apiVersion());
        if (isOpen && authorization.isOpen() && answer.isOfImageOnly()) {
            ByteBuffer bytes = MessageUtil.toByteBufferAccessor(answer.response(), request.apiVersion())
                    .buffer();
            MetadataAnswers.Kept built = new MetadataAnswers.Kept(bytes, response.errorCounts());
            answers.keep(question, built);
            request.respondBytes(built.body(), built.errorCounts());
        } else {
            request.respond(response);
        }
    }

    private MetadataAnswers answers() {
        MetadataImage image = metadata.image();
        MetadataAnswers known = kept;
        if (known == null || !known.isOf(image)) {
            known = new MetadataAnswers(identity.nodeId(), image);
            kept = known;
        }
        return known;
    }
}
