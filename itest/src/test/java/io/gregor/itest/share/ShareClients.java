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
        }
        set(name, "share.auto.offset.reset", "earliest");
        produce(name, 0, records);
    }

    /** A setting of a group. */
    void set(String group, String key, String value) throws Exception {
        AlterConfigOp setting = new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
        try (Admin admin = admin()) {
            admin.incrementalAlterConfigs(
                            Map.of(new ConfigResource(ConfigResource.Type.GROUP, group), List.of(setting)))
                    .all()
                    .get();
        }
    }

    /** Numbered records in one transaction, which is then committed or aborted. */
    void transact(String name, int from, int to, boolean isCommitted) {
        Map<String, Object> config = Map.of("bootstrap.servers", node.bootstrap(), "transactional.id", name);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            IntStream.range(from, to)
                    .forEach(number -> producer.send(new ProducerRecord<>(name, null, Integer.toString(number))));
            producer.flush();
            if (isCommitted) {
                producer.commitTransaction();
            } else {
                producer.abortTransaction();
            }
        }
    }

    void produce(String name, int from, int to) {
        Map<String, Object> config = Map.of("bootstrap.servers", node.bootstrap());
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            IntStream.range(from, to)
                    .forEach(number -> producer.send(new ProducerRecord<>(name, null, Integer.toString(number))));
        }
    }

    /** How many records of the topic of its name a group has not done with. */
    static long lag(Admin admin, String group) throws Exception {
        return admin.listShareGroupOffsets(Map.of(group, new ListShareGroupOffsetsSpec()))
                .partitionsToOffsetInfo(group)
                .get()
                .get(new TopicPartition(group, 0))
                .lag()
                .orElseThrow();
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
        return some(member, 1);
    }

    /** What polls bring until there are so many. */
    static List<ConsumerRecord<String, String>> some(KafkaShareConsumer<String, String> member, int count) {
        long deadlineNs = System.nanoTime() + LIMIT.toNanos();
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        while (records.size() < count && System.nanoTime() < deadlineNs) {
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
