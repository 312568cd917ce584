package io.gregor.handlers.cluster;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.cluster.internal.VersionsAnswer;
import io.gregor.handlers.cluster.internal.WithoutTelemetry;
import io.gregor.internal.broker.Forwarding;
import io.gregor.internal.dispatch.ServedApis;
import io.gregor.internal.dispatch.VersionsAnswers;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.node.Role;
import java.util.Map;
import org.apache.kafka.clients.NodeApiVersions;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.BrokerFeatures;
import org.apache.kafka.server.ClientMetricsManager;
import org.apache.kafka.server.config.ServerConfigs;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * Shared: handler threads, and the threads that authenticate clients. Tells which APIs and features the role has. The answer is built when what it tells changes, and
 * kept in its bytes.
 */
@Component(
        service = {RequestHandler.class, VersionsAnswers.class},
        configurationPid = Configurations.ROLE,
        configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 18, api_brief = true)
public final class ApiVersionsHandler implements RequestHandler, VersionsAnswers {
    private static final short CLUSTER_CHECK_VERSION = 5;

    private final ServedApis served;
    private final ServedMetadata metadata;
    private final BrokerFeatures features;
    private final boolean isBroker;
    private final String clusterId;
    private final int nodeId;
    private volatile @Nullable Forwarding forwarding;
    private volatile @Nullable ClientMetricsManager telemetry;
    private volatile @Nullable WithoutTelemetry withoutTelemetry;
    private volatile @Nullable VersionsAnswer kept;

    /** Nothing is built before the first request. */
    @Activate
    public ApiVersionsHandler(
            Map<String, Object> properties,
            @Reference(name = "served") ServedApis served,
            @Reference(name = "metadata") ServedMetadata metadata,
            @Reference NodeConfig config,
            @Reference NodeIdentity identity) {
        this.served = served;
        this.metadata = metadata;
        this.features = BrokerFeatures.createDefault(
                config.values().getBoolean(ServerConfigs.UNSTABLE_FEATURE_VERSIONS_ENABLE_CONFIG));
        this.isBroker = Role.BROKER.property().equals(properties.get(Role.PROPERTY));
        this.clusterId = identity.clusterId();
        this.nodeId = identity.nodeId();
    }

    /** The way to the controller; only the broker intersects with what the controller serves. */
    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindForwarding(Forwarding bound) {
        forwarding = bound;
    }

    void unbindForwarding(Forwarding left) {
        if (forwarding == left) {
            forwarding = null;
        }
    }

    /** Whether somebody receives the metrics of clients; the manager may be there longer. */
    @Reference(
            target = "(role=broker)",
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindTelemetry(ClientMetricsManager bound) {
        telemetry = bound;
    }

    void unbindTelemetry(ClientMetricsManager left) {
        if (telemetry == left) {
            telemetry = null;
        }
    }

    @Override
    public void handle(Request request) {
        ApiVersionsRequest question = request.body(ApiVersionsRequest.class);
        if (question.hasUnsupportedRequestVersion()) {
            request.respondError(Errors.UNSUPPORTED_VERSION.exception());
        } else if (!question.isValid()) {
            request.respondError(Errors.INVALID_REQUEST.exception());
        } else if (isMeantForAnotherNode(question)) {
            request.respondError(Errors.REBOOTSTRAP_REQUIRED.exception());
        } else {
            request.respondBytes(answer().bytes(request.apiVersion()));
        }
    }

    @Override
    public ApiVersionsResponse response(short version) {
        return answer().response(version);
    }

    /** The client thinks that it speaks to another node or cluster (KIP-1242); only brokers look. */
    private boolean isMeantForAnotherNode(ApiVersionsRequest question) {
        ApiVersionsRequestData data = question.data();
        return isBroker
                && question.version() >= CLUSTER_CHECK_VERSION
                && data.clusterId() != null
                && (!data.clusterId().equals(clusterId) || data.nodeId() != nodeId);
    }

    private VersionsAnswer answer() {
        ServedApis.Snapshot apis = offered();
        MetadataImage image = metadata.image();
        NodeApiVersions controller = controllerVersions();
        VersionsAnswer known = kept;
        if (known != null && known.isOf(apis, image, controller)) {
            return known;
        }
        VersionsAnswer built = VersionsAnswer.of(apis, image, controller, features, metadata.cache());
        if (built.isOf(apis, metadata.image(), controller)) {
            kept = built;
        }
        return built;
    }

    @SuppressWarnings("ReferenceEquality")
    private ServedApis.Snapshot offered() {
        ServedApis.Snapshot all = served.current();
        ClientMetricsManager manager = telemetry;
        if (manager != null && manager.isTelemetryExporterConfigured()) {
            return all;
        }
        WithoutTelemetry known = withoutTelemetry;
        if (known == null || known.served() != all) {
            known = WithoutTelemetry.of(all);
            withoutTelemetry = known;
        }
        return known.rest();
    }

    private @Nullable NodeApiVersions controllerVersions() {
        Forwarding way = forwarding;
        return isBroker && way != null ? way.controllerApiVersions().orElse(null) : null;
    }
}
