package io.gregor.handlers.cluster.internal;

import io.gregor.internal.dispatch.ServedApis;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.kafka.clients.NodeApiVersions;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersionCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.server.BrokerFeatures;
import org.apache.kafka.server.common.FinalizedFeatures;
import org.jspecify.annotations.Nullable;

/**
 * Shared: handler threads; each version's bytes are built by the first that needs them. The answer to ApiVersions as long as
 * the served APIs, the metadata image and the controller's versions stay the same objects.
 */
public final class VersionsAnswer {
    /** From here on a client understands supported features that begin with level 0. */
    private static final short FEATURE_LEVEL_0_VERSION = 4;

    private final ServedApis.Snapshot served;
    private final MetadataImage image;
    private final @Nullable NodeApiVersions controller;
    private final ApiVersionCollection apis;
    private final BrokerFeatures supported;
    private final FinalizedFeatures finalized;
    private final AtomicReferenceArray<ByteBuffer> byVersion =
            new AtomicReferenceArray<>(ApiKeys.API_VERSIONS.latestVersion() + 1);

    private VersionsAnswer(
            ServedApis.Snapshot served,
            MetadataImage image,
            @Nullable NodeApiVersions controller,
            BrokerFeatures supported,
            FinalizedFeatures finalized) {
        this.served = served;
        this.image = image;
        this.controller = controller;
        this.apis = controller == null ? served.apis() : intersect(served.apis(), controller);
        this.supported = supported;
        this.finalized = finalized;
    }

    /** The answer for these objects; {@code cache} is where the finalized features of the image are read. */
    public static VersionsAnswer of(
            ServedApis.Snapshot served,
            MetadataImage image,
            @Nullable NodeApiVersions controller,
            BrokerFeatures supported,
            MetadataCache cache) {
        FinalizedFeatures finalized =
                image.features().metadataVersion().isPresent() ? cache.features() : FinalizedFeatures.unknown();
        return new VersionsAnswer(served, image, controller, supported, finalized);
    }

    /** Whether it is the answer for these objects. */
    @SuppressWarnings("ReferenceEquality")
    public boolean isOf(ServedApis.Snapshot nowServed, MetadataImage now, @Nullable NodeApiVersions nowController) {
        return served == nowServed && image == now && controller == nowController;
    }

    /** The body of the response in a version. */
    public ByteBuffer bytes(short version) {
        ByteBuffer known = byVersion.get(version);
        if (known != null) {
            return known;
        }
        ByteBuffer built = MessageUtil.toByteBufferAccessor(response(version).data(), version)
                .buffer();
        byVersion.set(version, built);
        return built;
    }

    /** The response in a version. */
    public ApiVersionsResponse response(short version) {
        return new ApiVersionsResponse.Builder()
                .setApiVersions(apis)
                .setSupportedFeatures(supported.supportedFeatures())
                .setFinalizedFeatures(finalized.finalizedFeatures())
                .setFinalizedFeaturesEpoch(finalized.finalizedFeaturesEpoch())
                .setAlterFeatureLevel0(version < FEATURE_LEVEL_0_VERSION)
                .build();
    }

    /** What is forwarded is served in the versions that the controller knows too. */
    private static ApiVersionCollection intersect(ApiVersionCollection served, NodeApiVersions controller) {
        ApiVersionCollection both = new ApiVersionCollection();
        for (ApiVersion api : served) {
            if (ApiKeys.hasId(api.apiKey()) && ApiKeys.forId(api.apiKey()).forwardable) {
                ApiVersion theirs = controller.apiVersion(ApiKeys.forId(api.apiKey()));
                Optional<ApiVersion> common = ApiVersionsResponse.intersect(api, theirs);
                common.ifPresent(version -> both.add(version.duplicate()));
            } else {
                both.add(api.duplicate());
            }
        }
        return both;
    }
}
