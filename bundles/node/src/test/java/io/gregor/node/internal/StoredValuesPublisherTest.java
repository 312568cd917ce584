package io.gregor.node.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.metadata.ConfigRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.image.loader.LogDeltaManifest;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.junit.jupiter.api.Test;

class StoredValuesPublisherTest {
    private final List<StoredValues> seen = new ArrayList<>();
    private final List<Boolean> ofNode = new ArrayList<>();
    private MetadataImage image = MetadataImage.EMPTY;

    @Test
    void tellsTheValuesOfThisNodeAndOfAll() {
        StoredValuesPublisher publisher = publisher(CompletableFuture.completedFuture(null));

        update(publisher, record("", "a", "1"), record("7", "b", "2"), record("8", "b", "3"));
        update(publisher, record("7", "b", null));

        assertThat(seen)
                .containsExactly(
                        new StoredValues(Map.of("a", "1"), Map.of("b", "2")),
                        new StoredValues(Map.of("a", "1"), Map.of()));
    }

    @Test
    void tellsWhatIsStoredAnewWithTheSameValue() {
        StoredValuesPublisher publisher = publisher(CompletableFuture.completedFuture(null));

        update(publisher, record("7", "b", "2"));
        update(publisher, record("7", "b", "2"));
        update(publisher, record("", "b", "2"), record("8", "b", "2"));
        update(publisher, new TopicRecord().setName("t"));

        assertThat(seen).hasSize(3);
        assertThat(ofNode).containsExactly(true, true, false);
    }

    @Test
    void waitsForTheFirstImageToBeAppliedAndForNoOther() throws InterruptedException {
        CompletableFuture<Void> applied = new CompletableFuture<>();
        StoredValuesPublisher publisher = publisher(applied);
        Thread loader = new Thread(() -> update(publisher, record("7", "b", "2")));

        loader.start();
        await().until(() -> loader.getState() == Thread.State.TIMED_WAITING && seen.size() == 1);
        applied.complete(null);
        loader.join();
        update(publisher, record("7", "b", "3"));

        assertThat(seen).hasSize(2);
    }

    private StoredValuesPublisher publisher(CompletableFuture<Void> applied) {
        return new StoredValuesPublisher(7, (values, isOfNode) -> {
            seen.add(values);
            ofNode.add(isOfNode);
            return seen.size() == 1 ? applied : new CompletableFuture<>();
        });
    }

    private static ConfigRecord record(String node, String key, String value) {
        return new ConfigRecord()
                .setResourceType(ConfigResource.Type.BROKER.id())
                .setResourceName(node)
                .setName(key)
                .setValue(value);
    }

    private void update(StoredValuesPublisher publisher, ApiMessage... records) {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
        for (ApiMessage record : records) {
            delta.replay(record);
        }
        image = delta.apply(MetadataProvenance.EMPTY);
        publisher.onMetadataUpdate(
                delta,
                image,
                new LogDeltaManifest.Builder()
                        .provenance(MetadataProvenance.EMPTY)
                        .leaderAndEpoch(LeaderAndEpoch.UNKNOWN)
                        .numBatches(1)
                        .elapsedNs(1)
                        .numBytes(1)
                        .build());
    }
}
