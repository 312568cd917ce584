package io.gregor.itest.soak;

import io.gregor.itest.GregorProcess;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Records that are written and read in each of Kafka's ways. Stateless. */
final class RecordWorks {
    static final String PLAIN = "soak-plain";
    static final String COMPACTED = "soak-compacted";
    static final String TRANSACTIONAL = "soak-transactional";
    static final String SHARED = "soak-shared";

    private static final int BATCH = 50;
    private static final int KEYS = 500;
    private static final int TRANSACTIONS_OF_A_PRODUCER = 40;
    private static final int POLLS_OF_A_MEMBER = 60;
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long PAUSE_MS = 20;
    private static final String ABORTED = "aborted";

    private RecordWorks() {}

    /** Batches to a topic with retention, acknowledged by all. */
    static void produce(GregorProcess node, Ending ending, Runnable done) throws Exception {
        writeTo(PLAIN, "soak-producer", Integer.MAX_VALUE, node, ending, done);
    }

    /** The same few keys again and again. */
    static void overwrite(GregorProcess node, Ending ending, Runnable done) throws Exception {
        writeTo(COMPACTED, "soak-overwriter", KEYS, node, ending, done);
    }

    /** What share groups read. */
    static void produceToShare(GregorProcess node, Ending ending, Runnable done) throws Exception {
        writeTo(SHARED, "soak-sharer", Integer.MAX_VALUE, node, ending, done);
    }

    private static void writeTo(String topic, String client, int keys, GregorProcess node, Ending ending, Runnable done)
            throws Exception {
        String value = "v".repeat(200);
        while (!ending.isOver()) {
            // A new producer now and then: its id is to be forgotten.
            try (KafkaProducer<String, String> producer = producer(node, Map.of("client.id", client))) {
                for (int batch = 0; batch < BATCH && !ending.isOver(); batch++) {
                    for (int i = 0; i < BATCH; i++) {
                        producer.send(new ProducerRecord<>(topic, "k" + (batch * BATCH + i) % keys, value));
                    }
                    producer.flush();
                    done.run();
                    boolean unused = ending.isOverAfter(PAUSE_MS);
                }
            }
        }
    }

    /** Transactions of two records each, every third one aborted, by producers whose transactional ids are used once. */
    static void transact(GregorProcess node, Ending ending, Runnable done) throws Exception {
        while (!ending.isOver()) {
            Map<String, Object> settings =
                    Map.of("transactional.id", "soak-" + UUID.randomUUID(), "client.id", "soak-t");
            try (KafkaProducer<String, String> producer = producer(node, settings)) {
                producer.initTransactions();
                for (int i = 0; i < TRANSACTIONS_OF_A_PRODUCER && !ending.isOver(); i++) {
                    boolean isAborted = i % 3 == 2;
                    String id = UUID.randomUUID().toString();
                    producer.beginTransaction();
                    producer.send(new ProducerRecord<>(TRANSACTIONAL, 0, id, isAborted ? ABORTED : "one"));
                    producer.send(new ProducerRecord<>(TRANSACTIONAL, 1, id, isAborted ? ABORTED : "two"));
                    if (isAborted) {
                        producer.flush();
                        producer.abortTransaction();
                    } else {
                        producer.commitTransaction();
                    }
                    done.run();
                }
            }
        }
    }

    /** Reads what is committed, and nothing else. */
    static void readCommitted(GregorProcess node, Ending ending, Runnable done) {
        Map<String, Object> settings = Map.of("isolation.level", "read_committed", "group.protocol", "classic");
        try (KafkaConsumer<String, String> consumer = consumer(node, "soak-committed", settings)) {
            consumer.subscribe(List.of(TRANSACTIONAL));
            while (!ending.isOver()) {
                for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
                    if (record.value().equals(ABORTED)) {
                        throw new AssertionError("an aborted record was read: " + record);
                    }
                    done.run();
                }
            }
        }
    }

    /** Members of a group that come and go: of the consumer protocol with a pattern, of the classic one with names. */
    static void consume(GregorProcess node, Ending ending, Runnable done) {
        boolean isClassic = false;
        while (!ending.isOver()) {
            String protocol = isClassic ? "classic" : "consumer";
            Map<String, Object> settings = Map.of("group.protocol", protocol);
            try (KafkaConsumer<String, String> consumer = consumer(node, "soak-" + protocol, settings)) {
                consumer.subscribe(List.of(PLAIN, COMPACTED));
                for (int poll = 0; poll < POLLS_OF_A_MEMBER && !ending.isOver(); poll++) {
                    if (!consumer.poll(POLL).isEmpty()) {
                        consumer.commitSync();
                        done.run();
                    }
                }
            }
            isClassic = !isClassic;
        }
    }

    /** Members of a share group that come and go; no record is taken twice but those that a member had in hand. */
    static void share(GregorProcess node, Ending ending, Runnable done) {
        while (!ending.isOver()) {
            Map<String, Object> settings = new HashMap<>();
            settings.put("bootstrap.servers", node.bootstrap());
            settings.put("group.id", "soak-share");
            Set<String> seen = new HashSet<>();
            try (KafkaShareConsumer<String, String> consumer =
                    new KafkaShareConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
                consumer.subscribe(List.of(SHARED));
                for (int poll = 0; poll < POLLS_OF_A_MEMBER && !ending.isOver(); poll++) {
                    for (ConsumerRecord<String, String> record : consumer.poll(POLL)) {
                        if (!seen.add(record.partition() + "@" + record.offset())) {
                            throw new AssertionError("a record came twice: " + record);
                        }
                        done.run();
                    }
                }
            }
        }
    }

    static KafkaProducer<String, String> producer(GregorProcess node, Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap.servers", node.bootstrap());
        return new KafkaProducer<>(all, new StringSerializer(), new StringSerializer());
    }

    private static KafkaConsumer<String, String> consumer(
            GregorProcess node, String group, Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap.servers", node.bootstrap());
        all.put("group.id", group);
        all.put("auto.offset.reset", "earliest");
        all.put("enable.auto.commit", false);
        return new KafkaConsumer<>(all, new StringDeserializer(), new StringDeserializer());
    }
}
