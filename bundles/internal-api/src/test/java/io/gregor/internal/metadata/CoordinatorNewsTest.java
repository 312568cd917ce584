package io.gregor.internal.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntSupplier;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.PartitionChangeRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.junit.jupiter.api.Test;

class CoordinatorNewsTest {
    private static final int ME = 1;
    private static final int OTHER = 2;
    private static final Uuid TOPIC_ID = Uuid.randomUuid();
    private final List<String> told = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private final CoordinatorNews news =
            new CoordinatorNews(ME, "__consumer_offsets", 50, new Told(), (message, fault) -> {
                faults.add(message + ": " + fault.getMessage());
                return new RuntimeException(fault);
            });
    private MetadataImage image = MetadataImage.EMPTY;
    private String failing = "";

    @Test
    void startsTheCoordinatorUpFirst() {
        publish();

        assertThat(told).containsExactly("startup 50", "metadata");
    }

    @Test
    void countsThePartitionsOfATopicThatIsThere() {
        publish(topic(), partition(0, ME), partition(1, OTHER), partition(2, ME));

        assertThat(told).startsWith("startup 3");
    }

    @Test
    void electsThePartitionsThatThisBrokerLeadsAndResignsFromThoseThatItFollows() {
        publish(topic(), partition(0, ME), partition(1, OTHER));

        assertThat(told).containsExactly("startup 2", "elected 0 epoch 5", "resigned 1 epoch 5", "metadata");
    }

    @Test
    void resignsWithTheNewEpochWhenAnotherBrokerLeads() {
        publish(topic(), partition(0, ME));
        told.clear();

        publish(change(0).setLeader(OTHER));

        assertThat(told).containsExactly("resigned 0 epoch 6", "metadata");
    }

    @Test
    void doesNotElectAgainWhenOnlyTheInSyncReplicasChange() {
        publish(topic(), partition(0, ME));
        told.clear();

        publish(change(0).setIsr(List.of(ME)));

        assertThat(told).containsExactly("metadata");
    }

    @Test
    void resignsWithoutAnEpochWhenTheReplicaMovesAway() {
        publish(topic(), partition(0, ME));
        told.clear();

        publish(change(0)
                .setReplicas(List.of(OTHER))
                .setDirectories(List.of(Uuid.randomUuid()))
                .setIsr(List.of(OTHER))
                .setLeader(OTHER));

        assertThat(told).containsExactly("resigned 0 for good", "metadata");
    }

    @Test
    void resignsWithoutAnEpochWhenTheTopicIsDeleted() {
        publish(topic(), partition(0, ME), partition(1, OTHER));
        told.clear();

        publish(new RemoveTopicRecord().setTopicId(TOPIC_ID));

        assertThat(told).containsExactly("resigned 0 for good", "metadata");
    }

    @Test
    void electsForANewTopicOfTheSameNameAfterResigningFromTheOldOne() {
        publish(topic(), partition(0, ME));
        told.clear();
        Uuid next = Uuid.randomUuid();

        publish(
                new RemoveTopicRecord().setTopicId(TOPIC_ID),
                topic().setTopicId(next),
                partition(0, ME).setTopicId(next));

        assertThat(told).containsExactly("resigned 0 for good", "elected 0 epoch 5", "metadata");
    }

    @Test
    void reportsAFaultAndTellsTheRestNevertheless() {
        failing = "onElection";

        publish(topic(), partition(0, ME));

        assertThat(faults).singleElement().asString().contains("broken");
        assertThat(told).containsExactly("startup 1", "metadata");
    }

    private void publish(ApiMessage... records) {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
        for (ApiMessage message : records) {
            delta.replay(message);
        }
        boolean isFirst = image.equals(MetadataImage.EMPTY);
        image = delta.apply(MetadataProvenance.EMPTY);
        if (isFirst) {
            news.begin(delta, image);
        } else {
            news.follow(delta, image);
        }
    }

    private static TopicRecord topic() {
        return new TopicRecord().setName("__consumer_offsets").setTopicId(TOPIC_ID);
    }

    private static PartitionRecord partition(int index, int leader) {
        return new PartitionRecord()
                .setTopicId(TOPIC_ID)
                .setPartitionId(index)
                .setReplicas(List.of(ME, OTHER))
                .setDirectories(List.of(Uuid.randomUuid(), Uuid.randomUuid()))
                .setIsr(List.of(ME, OTHER))
                .setLeader(leader)
                .setLeaderEpoch(5)
                .setPartitionEpoch(1);
    }

    private static PartitionChangeRecord change(int index) {
        return new PartitionChangeRecord().setTopicId(TOPIC_ID).setPartitionId(index);
    }

    private static String epoch(OptionalInt epoch) {
        return epoch.isEmpty() ? " for good" : " epoch " + epoch.getAsInt();
    }

    private final class Told implements CoordinatorNews.Coordinator {
        @Override
        public void startup(IntSupplier partitions) {
            told.add("startup " + partitions.getAsInt());
        }

        @Override
        public void onElection(int partition, int leaderEpoch) {
            if (failing.equals("onElection")) {
                throw new IllegalStateException("broken");
            }
            told.add("elected " + partition + " epoch " + leaderEpoch);
        }

        @Override
        public void onResignation(int partition, OptionalInt leaderEpoch) {
            told.add("resigned " + partition + epoch(leaderEpoch));
        }

        @Override
        public void onMetadataUpdate(MetadataDelta delta, MetadataImage image) {
            told.add("metadata");
        }
    }
}
