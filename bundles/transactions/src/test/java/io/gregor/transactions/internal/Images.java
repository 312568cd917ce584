package io.gregor.transactions.internal;

import io.gregor.internal.metadata.MetadataFollower;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord.BrokerEndpoint;
import org.apache.kafka.common.metadata.RegisterBrokerRecord.BrokerEndpointCollection;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;

/** The metadata of two brokers, for tests. Owned by the test's thread. */
final class Images {
    static final int HERE = 1;
    static final int ELSEWHERE = 2;
    static final int NOBODY = -1;

    private final Leaders leaders = new Leaders(ListenerName.normalised("INTERNAL"));
    private final MetadataFollower follower = leaders.before(new MetadataFollower() {
        @Override
        public void begin(MetadataDelta delta, MetadataImage image) {}

        @Override
        public void follow(MetadataDelta delta, MetadataImage image) {}
    });
    private MetadataImage image = MetadataImage.EMPTY;

    Images() {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
        for (int broker : new int[] {HERE, ELSEWHERE}) {
            BrokerEndpointCollection endpoints = new BrokerEndpointCollection();
            endpoints.add(
                    new BrokerEndpoint().setName("INTERNAL").setHost("host").setPort(9092));
            delta.replay(new RegisterBrokerRecord()
                    .setBrokerId(broker)
                    .setFenced(false)
                    .setEndPoints(endpoints));
        }
        apply(delta);
    }

    Leaders leaders() {
        return leaders;
    }

    /** A topic of one partition with this leader. */
    void topic(String name, int leader) {
        Uuid id = new Uuid(1, leader + 10);
        MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
        delta.replay(new TopicRecord().setName(name).setTopicId(id));
        delta.replay(new PartitionRecord()
                .setTopicId(id)
                .setPartitionId(0)
                .setReplicas(List.of(HERE, ELSEWHERE))
                .setIsr(List.of(HERE, ELSEWHERE))
                .setLeader(leader)
                .setLeaderEpoch(1));
        apply(delta);
    }

    private void apply(MetadataDelta delta) {
        image = delta.apply(MetadataProvenance.EMPTY);
        follower.follow(delta, image);
    }
}
