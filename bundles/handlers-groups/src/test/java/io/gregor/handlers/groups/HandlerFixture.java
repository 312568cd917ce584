package io.gregor.handlers.groups;

import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeAuthorization;
import io.gregor.testing.FakeRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.metadata.LeaderAndIsr;
import org.apache.kafka.metadata.MetadataCache;
import org.jspecify.annotations.Nullable;

/** Requests, metadata and permissions for handlers. Topics have the partitions 0 and 1. */
final class HandlerFixture {
    private final Map<String, Uuid> topics = new HashMap<>();
    private final FakeAuthorization authorization = new FakeAuthorization();
    private MetadataImage image = MetadataImage.EMPTY;
    private @Nullable FakeRequest asked;

    HandlerFixture topic(String name, Uuid id) {
        topics.put(name, id);
        return this;
    }

    HandlerFixture deny(String name) {
        authorization.deny(name);
        return this;
    }

    /** The cluster's level of a feature. */
    HandlerFixture level(String feature, int level) {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
        delta.replay(new FeatureLevelRecord().setName(feature).setFeatureLevel((short) level));
        image = delta.apply(MetadataProvenance.EMPTY);
        return this;
    }

    /** A request with this body, {@link #asked} from now on. */
    FakeRequest request(AbstractRequest body) {
        FakeRequest made = new FakeRequest(body);
        asked = made;
        return made;
    }

    /** The last request. */
    FakeRequest asked() {
        return Objects.requireNonNull(asked);
    }

    ServedMetadata metadata() {
        MetadataCache cache = Fake.of(MetadataCache.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "getTopicId" -> topics.getOrDefault((String) arguments[0], Uuid.ZERO_UUID);
            case "getTopicName" ->
                topics.entrySet().stream()
                        .filter(topic -> topic.getValue().equals(arguments[0]))
                        .map(Map.Entry::getKey)
                        .findFirst();
            case "getLeaderAndIsr" ->
                Optional.of(new LeaderAndIsr(1, List.of(1)))
                        .filter(known -> topics.containsKey((String) arguments[0]) && (int) arguments[1] < 2);
            case "topicNamesToIds" -> topics;
            case "contains" -> topics.containsKey((String) arguments[0]);
            default -> throw Fake.unexpected(method.getName());
        });
        return Fake.of(
                ServedMetadata.class,
                (proxy, method, arguments) -> method.getName().equals("image") ? image : cache);
    }

    FakeAuthorization authorization() {
        return authorization;
    }
}
