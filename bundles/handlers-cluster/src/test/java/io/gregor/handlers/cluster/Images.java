package io.gregor.handlers.cluster;

import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord.BrokerEndpoint;
import org.apache.kafka.common.metadata.RegisterBrokerRecord.BrokerEndpointCollection;
import org.apache.kafka.common.metadata.RegisterControllerRecord;
import org.apache.kafka.common.metadata.RegisterControllerRecord.ControllerEndpoint;
import org.apache.kafka.common.metadata.RegisterControllerRecord.ControllerEndpointCollection;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.server.common.MetadataVersion;

/** Metadata images made of records. */
final class Images {
    static final Uuid TOPIC_ID = new Uuid(5, 1);

    private Images() {}

    static MetadataImage of(long offset, ApiMessage... records) {
        return with(MetadataImage.EMPTY, offset, records);
    }

    static MetadataImage with(MetadataImage before, long offset, ApiMessage... records) {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(before).build();
        if (before.isEmpty()) {
            delta.replay(new FeatureLevelRecord()
                    .setName(MetadataVersion.FEATURE_NAME)
                    .setFeatureLevel(MetadataVersion.latestProduction().featureLevel()));
        }
        for (ApiMessage record : records) {
            delta.replay(record);
        }
        return delta.apply(new MetadataProvenance(offset, 1, 1, true));
    }

    static RegisterBrokerRecord broker(int id, boolean fenced) {
        BrokerEndpointCollection endpoints = new BrokerEndpointCollection();
        endpoints.add(
                new BrokerEndpoint().setName("PLAINTEXT").setHost("host" + id).setPort(9092));
        return new RegisterBrokerRecord()
                .setBrokerId(id)
                .setBrokerEpoch(id)
                .setIncarnationId(new Uuid(1, id))
                .setEndPoints(endpoints)
                .setFenced(fenced)
                .setLogDirs(List.of(new Uuid(2, id)));
    }

    static RegisterControllerRecord controller(int id) {
        ControllerEndpointCollection endpoints = new ControllerEndpointCollection();
        endpoints.add(new ControllerEndpoint()
                .setName("PLAINTEXT")
                .setHost("host" + id)
                .setPort(9093));
        return new RegisterControllerRecord()
                .setControllerId(id)
                .setIncarnationId(new Uuid(3, id))
                .setEndPoints(endpoints);
    }

    static TopicRecord topic(String name, Uuid id) {
        return new TopicRecord().setName(name).setTopicId(id);
    }

    static PartitionRecord partition(Uuid topic, int leader) {
        return new PartitionRecord()
                .setTopicId(topic)
                .setPartitionId(0)
                .setReplicas(List.of(leader))
                .setIsr(List.of(leader))
                .setLeader(leader)
                .setLeaderEpoch(3)
                .setPartitionEpoch(4)
                .setDirectories(List.of(new Uuid(2, leader)));
    }
}
