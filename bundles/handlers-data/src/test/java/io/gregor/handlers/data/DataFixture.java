package io.gregor.handlers.data;

import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeAuthorization;
import io.gregor.testing.FakeRequest;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.metadata.MetadataCache;
import org.jspecify.annotations.Nullable;

/** Requests, metadata and permissions for handlers. Topics have the partition 0. Owned by the test's thread. */
final class DataFixture {
    static final Uuid TOPIC_ID = Uuid.randomUuid();

    private final Map<String, Uuid> topics = new HashMap<>(Map.of("t", TOPIC_ID));
    private final FakeAuthorization authorization = new FakeAuthorization();
    private MetadataImage image = MetadataImage.EMPTY;
    private @Nullable FakeRequest asked;

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

    /** There is this topic too, with partition 0. */
    void know(String topic, Uuid id) {
        topics.put(topic, id);
    }

    /** The cluster's level of a feature. */
    void level(String feature, short level) {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
        delta.replay(new FeatureLevelRecord().setName(feature).setFeatureLevel(level));
        image = delta.apply(MetadataProvenance.EMPTY);
    }

    FakeAuthorization authorization() {
        return authorization;
    }

    ServedMetadata metadata() {
        MetadataCache cache = Fake.of(MetadataCache.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "getTopicName" ->
                topics.entrySet().stream()
                        .filter(topic -> topic.getValue().equals(arguments[0]))
                        .map(Map.Entry::getKey)
                        .findFirst();
            case "topicIdsToNames" ->
                topics.entrySet().stream().collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));
            case "contains" ->
                topics.containsKey(((TopicPartition) arguments[0]).topic())
                        && ((TopicPartition) arguments[0]).partition() == 0;
            case "getAliveBrokerNode" -> Optional.of(new Node((int) arguments[0], "host", 9));
            default -> throw Fake.unexpected(method.getName());
        });
        return Fake.of(
                ServedMetadata.class,
                (proxy, method, arguments) -> method.getName().equals("image") ? image : cache);
    }

    static MemoryRecords records(String... values) {
        return MemoryRecords.withRecords(Compression.NONE, simple(values));
    }

    static MemoryRecords transactional(String... values) {
        return MemoryRecords.withTransactionalRecords(Compression.NONE, 9, (short) 0, 0, simple(values));
    }

    private static SimpleRecord[] simple(String... values) {
        SimpleRecord[] records = new SimpleRecord[values.length];
        for (int i = 0; i < values.length; i++) {
            records[i] = new SimpleRecord(values[i].getBytes(StandardCharsets.UTF_8));
        }
        return records;
    }
}
