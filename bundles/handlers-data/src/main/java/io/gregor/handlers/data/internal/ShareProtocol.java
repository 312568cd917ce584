package io.gregor.handlers.data.internal;

import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import java.util.Collection;
import java.util.Set;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.server.common.ShareVersion;
import org.apache.kafka.server.share.session.ShareSessionKey;
import org.jspecify.annotations.Nullable;

/** Who may take part in share groups here (KIP-932). Shared: any thread. */
public final class ShareProtocol {
    private static final int MEMBER_ID_MAX_LENGTH = 36;

    private final ServedMetadata metadata;
    private final Authorization authorization;

    /** Served if the cluster's {@code share.version} says so. */
    public ShareProtocol(ServedMetadata metadata, Authorization authorization) {
        this.metadata = metadata;
        this.authorization = authorization;
    }

    /** The member that a request names; throws what its client is to be told. */
    public ShareSessionKey member(RequestContext who, @Nullable String groupId, @Nullable String memberId) {
        short level =
                metadata.image().features().finalizedVersions().getOrDefault(ShareVersion.FEATURE_NAME, (short) 0);
        if (!ShareVersion.fromFeatureLevel(level).supportsShareGroups()) {
            throw Errors.UNSUPPORTED_VERSION.exception();
        }
        if (groupId == null) {
            throw invalid("Invalid group id in the request.");
        }
        if (!authorization.isAllowed(who, AclOperation.READ, ResourceType.GROUP, groupId)) {
            throw Errors.GROUP_AUTHORIZATION_FAILED.exception();
        }
        if (memberId == null || memberId.isEmpty() || memberId.length() > MEMBER_ID_MAX_LENGTH) {
            throw invalid("Invalid member id in the request.");
        }
        return new ShareSessionKey(groupId, memberId);
    }

    /** The topics of these that the principal may read. */
    public Set<String> readable(RequestContext who, Collection<TopicIdPartition> partitions) {
        return authorization.allowed(who, AclOperation.READ, ResourceType.TOPIC, partitions, TopicIdPartition::topic);
    }

    /** The request is not as the protocol wants it. */
    public static ApiException invalid(String why) {
        return Errors.INVALID_REQUEST.exception(why);
    }
}
