package io.gregor.handlers.data;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import io.gregor.api.ServesApi;
import io.gregor.handlers.data.internal.BatchHeaders;
import io.gregor.handlers.data.internal.ByteQuotas;
import io.gregor.handlers.data.internal.LateAnswer;
import io.gregor.handlers.data.internal.Leaders;
import io.gregor.handlers.data.internal.ProduceAnswer;
import io.gregor.handlers.data.internal.TransactionalBatches;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.quota.ClientQuotas;
import io.gregor.internal.replication.Replicas;
import io.gregor.internal.replication.Replicas.PartitionRecords;
import io.gregor.internal.transactions.TransactionVerification;
import io.gregor.internal.transactions.TransactionVerification.Verified;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse.PartitionResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.RecordValidationStats;
import org.apache.kafka.storage.internals.log.VerificationGuard;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * Shared: handler threads. Appends records to the partitions that this broker leads; those of a transaction once its
 * coordinator has confirmed it, for which no thread waits.
 */
@Component(configurationPid = Configurations.BROKER, configurationPolicy = ConfigurationPolicy.REQUIRE)
@ServesApi(api_key = 0)
public final class ProduceHandler implements RequestHandler {
    /** From this version on topics are told by their ids. */
    private static final short TOPIC_IDS = 13;

    private static final short ALL_IN_SYNC = -1;
    private static final String ADMIN_CLIENT_ID = "__admin_client";

    /** Null while there are none. */
    @Reference(target = "(role=broker)", cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    volatile @Nullable ClientQuotas quotas;

    private final Replicas replicas;
    private final TransactionVerification verification;
    private final ServedMetadata metadata;
    private final Authorization authorization;

    /** Appends to these partitions. */
    @Activate
    public ProduceHandler(
            @Reference(target = "(role=broker)") Replicas replicas,
            @Reference(target = "(role=broker)") TransactionVerification verification,
            @Reference(target = "(role=broker)") ServedMetadata metadata,
            @Reference(target = "(role=broker)") Authorization authorization) {
        this.replicas = replicas;
        this.verification = verification;
        this.metadata = metadata;
        this.authorization = authorization;
    }

    @Override
    public void handle(Request request) {
        new Call(request).run();
    }

    /** One request; owned by the thread that handles it until its records are appended. */
    private final class Call implements Replicas.Appended {
        private final Request request;
        private final RequestContext who;
        private final ProduceRequest produce;
        private final MetadataCache cache;
        private final ProduceAnswer answer;
        private final List<PartitionRecords> accepted = new ArrayList<>();
        private final List<TopicPartition> partitions = new ArrayList<>();
        private boolean mayTransact;
        private Map<TopicPartition, Errors> unverified = Map.of();
        private long temporaryMemoryBytes;
        private long conversionNs;

        Call(Request request) {
            this.request = request;
            this.who = request.context();
            this.produce = request.body(ProduceRequest.class);
            this.cache = metadata.cache();
            this.answer = new ProduceAnswer(request.apiVersion(), new Leaders(replicas, cache, who.listenerName));
        }

        void run() {
            for (TopicProduceData topic : produce.data().topicData()) {
                if (!take(topic)) {
                    request.respondError(Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED.exception());
                    return;
                }
            }
            if (accepted.isEmpty()) {
                respond();
            } else if (mayTransact) {
                verify();
            } else {
                append(accepted);
            }
        }

        private void verify() {
            CompletableFuture<Verified> verified = new TransactionalBatches(accepted)
                    .verify(verification, produce.transactionalId(), request.apiVersion());
            if (verified.isDone()) {
                appendVerified(verified.join());
            } else {
                var unused = verified.thenAccept(found -> request.later(() -> appendVerified(found)));
            }
        }

        private void appendVerified(Verified verified) {
            unverified = verified.errors();
            List<PartitionRecords> records = new ArrayList<>(accepted.size());
            for (PartitionRecords one : accepted) {
                TopicPartition partition = one.partition().topicPartition();
                if (!unverified.containsKey(partition)) {
                    VerificationGuard guard = verified.guards().get(partition);
                    records.add(guard == null ? one : one.guardedBy(guard));
                }
            }
            if (records.isEmpty()) {
                acknowledged(List.of());
            } else {
                append(records);
            }
        }

        private void append(List<PartitionRecords> records) {
            replicas.append(
                    produce.acks(),
                    produce.timeout(),
                    ADMIN_CLIENT_ID.equals(who.clientId()),
                    AppendOrigin.CLIENT,
                    records,
                    request.local(),
                    this);
            if (produce.acks() == ALL_IN_SYNC) {
                request.releaseBody();
            }
        }

        /** False if the whole request is refused, for a transactional id that the client may not use. */
        private boolean take(TopicProduceData topic) {
            boolean hasId = request.apiVersion() >= TOPIC_IDS;
            String name = hasId ? cache.getTopicName(topic.topicId()).orElse("") : topic.name();
            TopicProduceResponse places = answer.topic(name, topic.topicId());
            Errors error = hasId && name.isEmpty() ? Errors.UNKNOWN_TOPIC_ID : authorizationError(name);
            for (PartitionProduceData partition : topic.partitionData()) {
                if (BatchHeaders.anyTransactional(partition.records()) && !mayTransact()) {
                    return false;
                }
                if (error != Errors.NONE) {
                    answer.refuse(places, partition.index(), error, "");
                } else {
                    accept(name, topic.topicId(), places, partition);
                }
            }
            return true;
        }

        private Errors authorizationError(String topic) {
            return authorization.isOpen() || authorization.isAllowed(who, AclOperation.WRITE, ResourceType.TOPIC, topic)
                    ? Errors.NONE
                    : Errors.TOPIC_AUTHORIZATION_FAILED;
        }

        private boolean mayTransact() {
            String id = produce.transactionalId();
            mayTransact = mayTransact
                    || (id != null
                            && authorization.isAllowed(who, AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, id));
            return mayTransact;
        }

        private void accept(String topic, Uuid topicId, TopicProduceResponse places, PartitionProduceData partition) {
            TopicPartition topicPartition = new TopicPartition(topic, partition.index());
            if (!cache.contains(topicPartition)) {
                answer.refuse(places, partition.index(), Errors.UNKNOWN_TOPIC_OR_PARTITION, "");
                return;
            }
            if (!(partition.records() instanceof MemoryRecords records)) {
                answer.refuse(places, partition.index(), Errors.INVALID_RECORD, "");
                return;
            }
            try {
                ProduceRequest.validateRecords(request.apiVersion(), records);
            } catch (CorruptRecordException e) {
                answer.refuse(places, partition.index(), Errors.CORRUPT_MESSAGE, String.valueOf(e.getMessage()));
                return;
            } catch (ApiException e) {
                answer.refuse(places, partition.index(), Errors.forException(e), "");
                return;
            }
            answer.await(places, partition.index());
            partitions.add(topicPartition);
            accepted.add(new PartitionRecords(new TopicIdPartition(topicId, topicPartition), records));
        }

        @Override
        public void checked(RecordValidationStats stats) {
            temporaryMemoryBytes += stats.temporaryMemoryBytes();
            conversionNs += stats.conversionTimeNanos();
        }

        @Override
        public void acknowledged(List<PartitionResponse> results) {
            try {
                if (temporaryMemoryBytes > 0 || conversionNs > 0) {
                    request.recordsConverted(temporaryMemoryBytes, conversionNs);
                }
                answer.fill(partitions, unverified.isEmpty() ? results : withUnverified(results));
                respond();
            } catch (RuntimeException e) {
                LateAnswer.failed(request, e);
            }
        }

        private List<PartitionResponse> withUnverified(List<PartitionResponse> appended) {
            Iterator<PartitionResponse> next = appended.iterator();
            List<PartitionResponse> all = new ArrayList<>(partitions.size());
            for (TopicPartition partition : partitions) {
                Errors error = unverified.get(partition);
                all.add(error == null ? next.next() : TransactionalBatches.refusal(error, request.apiVersion()));
            }
            return all;
        }

        /** A client that asked for no answer learns of an error by its connection being closed. */
        private void respond() {
            ByteQuotas.produced(quotas, request);
            if (produce.acks() != 0) {
                request.respond(answer.response());
            } else if (answer.hasErrors()) {
                request.closeConnection(answer.response().errorCounts());
            } else {
                request.respondNothing();
            }
        }
    }
}
