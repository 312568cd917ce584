package io.gregor.itest.data;

import io.gregor.itest.GregorProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Kafka's clients against one node, without groups. Owned by the test thread. */
public final class DataClients {
    /** For each thing that is waited for. */
    public static final Duration LIMIT = Duration.ofSeconds(60);

    private final GregorProcess node;

    /** Of this node. */
    public DataClients(GregorProcess node) {
        this.node = node;
    }

    /** An admin client. */
    public Admin admin() {
        return Admin.create(Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, node.bootstrap()));
    }

    /** Creates a topic, and waits until it is there. */
    public void create(String topic, int partitions, Map<String, String> settings) throws Exception {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(settings)))
                    .all()
                    .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** A producer of text. */
    public KafkaProducer<String, String> producer(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, node.bootstrap());
        return new KafkaProducer<>(all, new StringSerializer(), new StringSerializer());
    }

    /** A consumer of text that begins at the beginning. */
    public KafkaConsumer<String, String> consumer(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, node.bootstrap());
        all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        return new KafkaConsumer<>(all, new StringDeserializer(), new StringDeserializer());
    }

    /** All records of a topic from its beginning to its end of the moment, in the order in which they come. */
    public List<ConsumerRecord<String, String>> readAll(String topic, Map<String, Object> settings) {
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = consumer(settings)) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(found -> new TopicPartition(topic, found.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            long deadlineNs = System.nanoTime() + LIMIT.toNanos();
            BooleanSupplier isAtEnd = () ->
                    partitions.stream().allMatch(partition -> consumer.position(partition) >= ends.get(partition));
            while (!isAtEnd.getAsBoolean()) {
                if (System.nanoTime() > deadlineNs) {
                    throw new AssertionError("not at the end after " + LIMIT + ", read " + records.size());
                }
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
        return records;
    }
}
