package io.gregor.handlers.data;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.data.internal.ByteQuotas;
import io.gregor.handlers.data.internal.FetchAnswer;
import io.gregor.handlers.data.internal.LateAnswer;
import io.gregor.handlers.data.internal.Leaders;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.quota.ClientQuotas;
import io.gregor.internal.replication.Replicas;
import io.gregor.internal.replication.Replicas.PartitionFetch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.replica.ClientMetadata;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.server.FetchContext;
import org.apache.kafka.server.config.ServerConfigs;
import org.apache.kafka.server.quota.ClientQuotaType;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.storage.log.FetchParams;
import org.apache.kafka.server.storage.log.FetchPartitionData;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Shared: handler threads. Reads records for consumers and followers, within sessions that replication keeps (KIP-227). */
@Component(configurationPid = Configurations.BROKER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 1)
public final class FetchHandler implements RequestHandler {
    /** From this version on topics are told by their ids. */
    private static final short TOPIC_IDS = 13;

    /** From this version on consumers may read from followers. */
    private static final short FOLLOWER_READS = 11;

    /** Null while there are none. */
    @Reference(target = "(role=broker)", cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    volatile @Nullable ClientQuotas quotas;

    private final Replicas replicas;
    private final ServedMetadata metadata;
    private final Authorization authorization;
    private final int maxBytes;

    /** Reads from these partitions. */
    @Activate
    public FetchHandler(
            @Reference(target = "(role=broker)") Replicas replicas,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization,
            @Reference NodeConfig config) {
        this.replicas = replicas;
        this.metadata = metadata;
        this.authorization = authorization;
        this.maxBytes = config.values().getInt(ServerConfigs.FETCH_MAX_BYTES_CONFIG);
    }

    @Override
    public void handle(Request request) {
        FetchRequest fetch = request.body(FetchRequest.class);
        RequestContext who = request.context();
        MetadataCache cache = metadata.cache();
        Map<Uuid, String> names = fetch.version() >= TOPIC_IDS ? cache.topicIdsToNames() : Map.of();
        FetchContext session = replicas.fetchSessions()
                .newContext(
                        fetch.version(),
                        fetch.metadata(),
                        fetch.isFromFollower(),
                        fetch.fetchData(names),
                        fetch.forgottenTopics(names),
                        names);
        FetchAnswer answer = new FetchAnswer(fetch.version(), session, new Leaders(replicas, cache, who.listenerName));
        List<PartitionFetch> asked = allowed(who, fetch.isFromFollower(), cache, session, answer);
        if (asked.isEmpty()) {
            respond(request, fetch, answer, asked, List.of());
            return;
        }
        Runnable endOfWait =
                replicas.fetch(params(fetch, who), asked, read -> respond(request, fetch, answer, asked, read));
        if (endOfWait != null) {
            request.whenHurried(endOfWait);
        }
    }

    private void respond(
            Request request,
            FetchRequest fetch,
            FetchAnswer answer,
            List<PartitionFetch> asked,
            List<FetchPartitionData> read) {
        try {
            LinkedHashMap<TopicIdPartition, PartitionData> partitions = answer.partitions(asked, read);
            int throttleTimeMs = throttleTimeMs(request, fetch, answer, partitions);
            if (throttleTimeMs > 0) {
                request.respond(answer.throttled(throttleTimeMs));
                return;
            }
            FetchAnswer.count(replicas.topicStats(), fetch.isFromFollower(), asked, read);
            request.respond(answer.response(partitions));
        } catch (RuntimeException e) {
            LateAnswer.failed(request, e);
        }
    }

    @SuppressWarnings("NonApiType") // Kafka's answers are made of such a map
    private int throttleTimeMs(
            Request request,
            FetchRequest fetch,
            FetchAnswer answer,
            LinkedHashMap<TopicIdPartition, PartitionData> partitions) {
        ClientQuotas current = quotas;
        boolean isMeasured = current != null
                && !fetch.isFromFollower()
                && (current.limits(ClientQuotaType.FETCH) || current.limits(ClientQuotaType.REQUEST));
        return isMeasured ? ByteQuotas.fetched(current, request, answer.size(partitions)) : 0;
    }

    private List<PartitionFetch> allowed(
            RequestContext who, boolean isFollower, MetadataCache cache, FetchContext session, FetchAnswer answer) {
        List<PartitionFetch> asked = new ArrayList<>();
        boolean isRefused = isFollower && !mayFollow(who);
        session.foreachPartition((partition, request) -> {
            if (isRefused) {
                answer.refuse(partition, Errors.TOPIC_AUTHORIZATION_FAILED);
            } else if (partition.topic() == null) {
                answer.refuse(partition, Errors.UNKNOWN_TOPIC_ID);
            } else {
                asked.add(new PartitionFetch(partition, request));
            }
        });
        if (!isFollower && !authorization.isOpen()) {
            refuseUnreadable(who, asked, answer);
        }
        asked.removeIf(one -> {
            boolean isUnknown = !cache.contains(one.partition().topicPartition());
            if (isUnknown) {
                answer.refuse(one.partition(), Errors.UNKNOWN_TOPIC_OR_PARTITION);
            }
            return isUnknown;
        });
        return asked;
    }

    /** A follower needs the right to act on the cluster; without it, it does not learn which topics there are either. */
    private boolean mayFollow(RequestContext who) {
        return authorization.isOpen()
                || authorization.isAllowed(
                        who, AclOperation.CLUSTER_ACTION, ResourceType.CLUSTER, Resource.CLUSTER_NAME);
    }

    private void refuseUnreadable(RequestContext who, List<PartitionFetch> asked, FetchAnswer answer) {
        Set<String> readable =
                authorization.allowed(who, AclOperation.READ, ResourceType.TOPIC, asked, FetchHandler::topic);
        asked.removeIf(one -> {
            boolean isRefused = !readable.contains(topic(one));
            if (isRefused) {
                answer.refuse(one.partition(), Errors.TOPIC_AUTHORIZATION_FAILED);
            }
            return isRefused;
        });
    }

    private static String topic(PartitionFetch one) {
        TopicIdPartition partition = one.partition();
        return partition.topic();
    }

    private FetchParams params(FetchRequest fetch, RequestContext who) {
        int ofQuota = fetch.isFromFollower() ? Integer.MAX_VALUE : ByteQuotas.mostToFetch(quotas, who);
        int atMost = Math.min(Math.min(fetch.maxBytes(), maxBytes), ofQuota);
        Optional<ClientMetadata> client = fetch.version() >= FOLLOWER_READS
                ? Optional.of(new ClientMetadata.DefaultClientMetadata(
                        fetch.rackId(), who.clientId(), who.clientAddress, who.principal, who.listenerName.value()))
                : Optional.empty();
        return new FetchParams(
                fetch.replicaId(),
                fetch.replicaEpoch(),
                fetch.maxWait(),
                Math.min(fetch.minBytes(), atMost),
                atMost,
                FetchIsolation.of(fetch),
                client);
    }
}
