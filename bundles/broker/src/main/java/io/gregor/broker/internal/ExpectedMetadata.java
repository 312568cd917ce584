package io.gregor.broker.internal;

import io.gregor.internal.metadata.ShownAcls;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.message.CreateAclsRequestData.AclCreation;
import org.apache.kafka.common.message.CreateAclsResponseData.AclCreationResult;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreatePartitionsResponseData.CreatePartitionsTopicResult;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.DeleteAclsResponseData.DeleteAclsFilterResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.CreateAclsRequest;
import org.apache.kafka.common.requests.CreateAclsResponse;
import org.apache.kafka.common.requests.CreatePartitionsRequest;
import org.apache.kafka.common.requests.CreatePartitionsResponse;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.common.requests.CreateTopicsResponse;
import org.apache.kafka.common.requests.DeleteAclsRequest;
import org.apache.kafka.common.requests.DeleteAclsResponse;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.TopicImage;
import org.jspecify.annotations.Nullable;

/**
 * What a broker's image must show before a client may hear of a controller's success: the topics or partitions that were
 * created, so that the client finds them in its next request, and the ACLs that were changed, so that they count for it.
 * Immutable.
 *
 * @param condition whether an image shows them
 * @param timeoutMs how long the answer may be held back: the request's own timeout
 */
public record ExpectedMetadata(Predicate<MetadataImage> condition, long timeoutMs) {
    /** What is to be waited for; empty if the answer can go out at once. */
    public static Optional<ExpectedMetadata> of(AbstractRequest request, AbstractResponse response) {
        if (request instanceof CreateTopicsRequest create && response instanceof CreateTopicsResponse created) {
            return ofTopics(create, created);
        }
        if (request instanceof CreatePartitionsRequest create && response instanceof CreatePartitionsResponse created) {
            return ofPartitions(create.data(), created);
        }
        if (request instanceof CreateAclsRequest create && response instanceof CreateAclsResponse created) {
            return ofNewAcls(create.aclCreations(), created.results());
        }
        if (request instanceof DeleteAclsRequest && response instanceof DeleteAclsResponse deleted) {
            return ofGoneAcls(deleted.filterResults());
        }
        return Optional.empty();
    }

    private static Optional<ExpectedMetadata> ofTopics(CreateTopicsRequest request, CreateTopicsResponse response) {
        if (request.data().validateOnly()) {
            return Optional.empty();
        }
        List<CreatableTopicResult> created = new ArrayList<>();
        for (CreatableTopicResult topic : response.data().topics()) {
            if (topic.errorCode() == Errors.NONE.code()) {
                created.add(topic);
            }
        }
        return expect(
                created,
                image -> created.stream().allMatch(topic -> shows(image, topic)),
                request.data().timeoutMs());
    }

    /** Responses before version 7 have no topic ids. */
    private static boolean shows(MetadataImage image, CreatableTopicResult topic) {
        return topic.topicId().equals(Uuid.ZERO_UUID)
                ? image.topics().getTopic(topic.name()) != null
                : image.topics().getTopic(topic.topicId()) != null;
    }

    private static Optional<ExpectedMetadata> ofPartitions(
            CreatePartitionsRequestData request, CreatePartitionsResponse response) {
        if (request.validateOnly()) {
            return Optional.empty();
        }
        Map<String, Integer> counts = new HashMap<>();
        for (CreatePartitionsTopicResult topic : response.data().results()) {
            CreatePartitionsTopic asked = request.topics().find(topic.name());
            if (topic.errorCode() == Errors.NONE.code() && asked != null) {
                counts.put(topic.name(), asked.count());
            }
        }
        return expect(
                counts.keySet(),
                image -> counts.entrySet().stream()
                        .allMatch(topic -> hasPartitions(image.topics().getTopic(topic.getKey()), topic.getValue())),
                request.timeoutMs());
    }

    private static boolean hasPartitions(@Nullable TopicImage topic, int count) {
        return topic != null && topic.partitions().size() >= count;
    }

    private static Optional<ExpectedMetadata> ofNewAcls(List<AclCreation> asked, List<AclCreationResult> results) {
        List<AclBinding> created = new ArrayList<>();
        for (int i = 0; i < asked.size() && i < results.size(); i++) {
            if (results.get(i).errorCode() == Errors.NONE.code()) {
                created.add(CreateAclsRequest.aclBinding(asked.get(i)));
            }
        }
        return expect(created, ShownAcls.present(created), ShownAcls.LIMIT_MS);
    }

    private static Optional<ExpectedMetadata> ofGoneAcls(List<DeleteAclsFilterResult> results) {
        List<AclBinding> deleted = new ArrayList<>();
        results.forEach(result -> result.matchingAcls().stream()
                .filter(acl -> acl.errorCode() == Errors.NONE.code())
                .forEach(acl -> deleted.add(DeleteAclsResponse.aclBinding(acl))));
        return expect(deleted, ShownAcls.absent(deleted), ShownAcls.LIMIT_MS);
    }

    private static Optional<ExpectedMetadata> expect(
            Collection<?> created, Predicate<MetadataImage> condition, long timeoutMs) {
        return created.isEmpty() ? Optional.empty() : Optional.of(new ExpectedMetadata(condition, timeoutMs));
    }
}
