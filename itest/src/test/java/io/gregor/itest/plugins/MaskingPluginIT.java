package io.gregor.itest.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.itest.Background;
import io.gregor.itest.GregorProcess;
import io.gregor.itest.ShellSocket;
import io.gregor.itest.data.DataClients;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields of JSON values are masked before they are stored, whatever codec and producer they come with. */
class MaskingPluginIT {
    private static final String FIELDS = "example.masking.fields";
    private static final String OPEN = "{\"id\": 1.0, \"email\": \"a@b.c\", \"card\": {\"number\": 4711}}";
    private static final String MASKED = "{\"id\": 1.0, \"email\": \"***\", \"card\": {\"number\": \"***\"}}";
    private static final int RECORDS = 500;
    private static final int REPLACEMENTS = 5;

    @TempDir
    private static Path home;

    private static GregorProcess node;
    private static DataClients clients;
    private static ExamplePlugin masking;

    @BeforeAll
    static void start() throws Exception {
        node = GregorProcess.start(home, FIELDS + "=email,card.number", "example.masking.topics=(?!open).*");
        clients = new DataClients(node);
        masking = ExamplePlugin.drop(node, "masking");
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
    void masksWithEveryCodec(String codec) throws Exception {
        String topic = "masked-" + codec;
        Map<String, Object> settings =
                Map.of(ProducerConfig.COMPRESSION_TYPE_CONFIG, codec, ProducerConfig.LINGER_MS_CONFIG, 20);
        clients.create(topic, 3, Map.of());

        try (KafkaProducer<String, String> producer = clients.producer(settings)) {
            for (int i = 0; i < RECORDS; i++) {
                producer.send(new ProducerRecord<>(topic, "key" + i, i % 2 == 0 ? OPEN : "text " + i));
            }
        }

        List<ConsumerRecord<String, String>> records = clients.readAll(topic, Map.of());
        assertThat(records).hasSize(RECORDS);
        for (ConsumerRecord<String, String> record : records) {
            int i = Integer.parseInt(record.key().substring("key".length()));
            assertThat(record.value()).isEqualTo(i % 2 == 0 ? MASKED : "text " + i);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void keepsProducersSequences(boolean isIdempotent) throws Exception {
        String topic = "sequences-" + isIdempotent;
        Map<String, Object> settings = Map.of(
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                isIdempotent,
                ProducerConfig.BATCH_SIZE_CONFIG,
                500,
                ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                5);
        clients.create(topic, 1, Map.of());

        try (KafkaProducer<String, String> producer = clients.producer(settings)) {
            for (int i = 0; i < RECORDS; i++) {
                producer.send(new ProducerRecord<>(topic, 0, 1_000_000L + i, "key" + i, OPEN));
            }
        }

        List<ConsumerRecord<String, String>> records = clients.readAll(topic, Map.of());
        assertThat(records).hasSize(RECORDS);
        for (int i = 0; i < RECORDS; i++) {
            assertThat(records.get(i).offset()).isEqualTo(i);
            assertThat(records.get(i).timestamp()).isEqualTo(1_000_000L + i);
            assertThat(records.get(i).value()).isEqualTo(MASKED);
            assertThat(records.get(i).key()).isEqualTo("key" + i);
        }
    }

    @Test
    void leavesOtherTopicsAlone() throws Exception {
        clients.create("open", 1, Map.of());

        assertThat(stored("open")).isEqualTo(OPEN);
    }

    @Test
    void changesWithItsSettingsAndRefusesWrongOnes() throws Exception {
        clients.create("changing", 1, Map.of());
        assertThat(stored("changing")).isEqualTo(MASKED);

        alter("id");
        try {
            assertThat(stored("changing")).isEqualTo(OPEN.replace("1.0", "\"***\""));
            assertThatThrownBy(() -> alter("a..b"))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining(FIELDS + "=a..b");
            assertThat(stored("changing")).isEqualTo(OPEN.replace("1.0", "\"***\""));
            assertThat(ShellSocket.call(home, "config:show " + FIELDS).output())
                    .contains("id")
                    .doesNotContain("no owner");
        } finally {
            alter(null);
        }
        assertThat(stored("changing")).isEqualTo(MASKED);
    }

    @Test
    void letsNothingPassWhileItIsReplaced() throws Exception {
        clients.create("replaced", 1, Map.of());
        AtomicBoolean isOver = new AtomicBoolean();
        CompletableFuture<Integer> sent = Background.supply(() -> {
            int count = 0;
            try (KafkaProducer<String, String> producer = clients.producer(Map.of())) {
                for (; !isOver.get(); count++) {
                    producer.send(new ProducerRecord<>("replaced", OPEN)).get();
                }
                return count;
            } catch (InterruptedException | ExecutionException failed) {
                throw new CompletionException(failed);
            }
        });

        for (int i = 1; i <= REPLACEMENTS; i++) {
            masking.replaceBy("1.0." + i);
        }
        isOver.set(true);

        assertThat(sent).succeedsWithin(DataClients.LIMIT);
        assertThat(clients.readAll("replaced", Map.of()))
                .hasSize(sent.join())
                .extracting(ConsumerRecord::value)
                .containsOnly(MASKED);
    }

    @Test
    void masksFromTheFirstRecordAfterARestart() throws Exception {
        clients.create("restarted", 1, Map.of());
        alter("id");
        try {
            node.stop();
            node.restart();

            assertThat(stored("restarted")).isEqualTo(OPEN.replace("1.0", "\"***\""));
        } finally {
            alter(null);
        }
    }

    /** Produces the record, and returns what is stored last. */
    private static String stored(String topic) throws Exception {
        try (KafkaProducer<String, String> producer = clients.producer(Map.of())) {
            producer.send(new ProducerRecord<>(topic, OPEN)).get(DataClients.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
        List<ConsumerRecord<String, String>> records = clients.readAll(topic, Map.of());
        return records.get(records.size() - 1).value();
    }

    /** As {@code kafka-configs} does; null deletes. */
    private static void alter(String fields) throws Exception {
        AlterConfigOp.OpType type = fields == null ? AlterConfigOp.OpType.DELETE : AlterConfigOp.OpType.SET;
        Collection<AlterConfigOp> change = List.of(new AlterConfigOp(new ConfigEntry(FIELDS, fields), type));
        try (Admin admin = clients.admin()) {
            admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.BROKER, "1"), change))
                    .all()
                    .get(DataClients.LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }
}
