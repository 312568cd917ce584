package io.gregor.itest.share;

import io.gregor.itest.GregorProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Real clients for tests of share groups. Owned by the test thread. */
final class ShareClients {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final GregorProcess node;

    ShareClients(GregorProcess node) {
        this.node = node;
    }

    Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", node.bootstrap()));
    }

    /** A topic of one partition with numbered records, for a group of the same name that begins with the first. */
    void create(String name, int records) throws Exception {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get();
            AlterConfigOp earliest =
                    new AlterConfigOp(new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET);
            admin.incrementalAlterConfigs(
                            Map.of(new ConfigResource(ConfigResource.Type.GROUP, name), List.of(earliest)))
                    .all()
                    .get();
        }
        produce(name, 0, records);
    }

    void produce(String name, int from, int to) {
        Map<String, Object> config = Map.of("bootstrap.servers", node.bootstrap());
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            IntStream.range(from, to)
                    .forEach(number -> producer.send(new ProducerRecord<>(name, null, Integer.toString(number))));
        }
    }

    /** The first offset that the group has not done with. */
    static long startOffset(Admin admin, String group) throws Exception {
        return admin.listShareGroupOffsets(Map.of(group, new ListShareGroupOffsetsSpec()))
                .partitionsToOffsetInfo(group)
                .get()
                .get(new TopicPartition(group, 0))
                .startOffset();
    }

    /** A member of the group that has the topic's name. */
    KafkaShareConsumer<String, String> member(String name, String acknowledgement) {
        KafkaShareConsumer<String, String> member = new KafkaShareConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        node.bootstrap(),
                        "group.id",
                        name,
                        "share.acknowledgement.mode",
                        acknowledgement),
                new StringDeserializer(),
                new StringDeserializer());
        member.subscribe(List.of(name));
        return member;
    }

    /** What one poll brings, as soon as one brings something. */
    static List<ConsumerRecord<String, String>> some(KafkaShareConsumer<String, String> member) {
        long deadlineNs = System.nanoTime() + LIMIT.toNanos();
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        while (records.isEmpty() && System.nanoTime() < deadlineNs) {
            member.poll(Duration.ofMillis(200)).forEach(records::add);
        }
        return records;
    }

    static List<String> deliveries(List<ConsumerRecord<String, String>> records) {
        return records.stream()
                .map(record -> record.value() + "x" + record.deliveryCount().orElseThrow())
                .toList();
    }
}
