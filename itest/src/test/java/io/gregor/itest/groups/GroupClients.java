package io.gregor.itest.groups;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.itest.GregorProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Kafka's clients against one node, with short timeouts. Owned by the test thread. */
final class GroupClients {
    static final Duration LIMIT = Duration.ofSeconds(30);

    private final GregorProcess node;

    GroupClients(GregorProcess node) {
        this.node = node;
    }

    Admin admin() {
        Properties settings = new Properties();
        settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, node.bootstrap());
        return Admin.create(settings);
    }

    /** An idempotent producer, as it is by default. */
    KafkaProducer<String, String> producer() {
        Properties settings = new Properties();
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, node.bootstrap());
        settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
        settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) LIMIT.toMillis());
        return new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
    }

    /** A consumer of the {@code classic} or the {@code consumer} protocol that commits only when it is told to. */
    KafkaConsumer<String, String> consumer(String protocol, String group) {
        Properties settings = new Properties();
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, node.bootstrap());
        settings.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, protocol);
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        return new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
    }

    /** A member of a share group that accepts what it has read with its next poll, and when it is closed. */
    KafkaShareConsumer<String, String> sharer(String group) {
        Properties settings = new Properties();
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, node.bootstrap());
        settings.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        return new KafkaShareConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
    }

    void create(String topic, int partitions) throws Exception {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                    .all()
                    .get();
        }
    }

    void produce(String topic, int from, int to) throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<String, String> producer = producer()) {
            for (int value = from; value < to; value++) {
                sent.add(producer.send(new ProducerRecord<>(topic, "k" + value, Integer.toString(value))));
            }
        }
        for (Future<RecordMetadata> record : sent) {
            record.get();
        }
    }

    /** Polls until so many records have come. */
    static List<Integer> read(KafkaConsumer<String, String> consumer, int count) {
        return read(consumer::poll, count);
    }

    /** Polls until so many records have come. */
    static List<Integer> readShared(KafkaShareConsumer<String, String> member, int count) {
        return read(member::poll, count);
    }

    private static List<Integer> read(Function<Duration, ConsumerRecords<String, String>> poll, int count) {
        List<Integer> values = new ArrayList<>();
        long deadlineNs = System.nanoTime() + LIMIT.toNanos();
        while (values.size() < count) {
            assertThat(System.nanoTime())
                    .as("deadline, having read " + values.size())
                    .isLessThan(deadlineNs);
            ConsumerRecords<String, String> records = poll.apply(Duration.ofMillis(200));
            for (ConsumerRecord<String, String> record : records) {
                values.add(Integer.parseInt(record.value()));
            }
        }
        return values;
    }

    static long end(Admin admin, String topic, int partition) throws Exception {
        TopicPartition asked = new TopicPartition(topic, partition);
        return admin.listOffsets(Map.of(asked, OffsetSpec.latest()))
                .partitionResult(asked)
                .get()
                .offset();
    }
}
