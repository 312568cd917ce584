package ${package};

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gregor.testsupport.ApiClient;
import io.gregor.testsupport.GregorNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The jar of this project in a real node, which runs in the JVM of the test. */
class PluginIT {
    @RegisterExtension
    static final GregorNode NODE = GregorNode.builder().projectPlugin().build();

    @Test
    void nodeServesTheNewApi() {
        assertEquals("hello, world", greeting("world"));
    }

    @Test
    void topicsInLowerCaseAreCreatedAndUsedAndOthersRefused() throws Exception {
        try (Admin admin = Admin.create(clientConfig())) {
            admin.createTopics(List.of(new NewTopic("orders", 1, (short) 1))).all().get(30, SECONDS);
            ExecutionException refused = assertThrows(
                    ExecutionException.class,
                    () -> admin.createTopics(List.of(new NewTopic("Orders", 1, (short) 1))).all().get(30, SECONDS));
            assertInstanceOf(PolicyViolationException.class, refused.getCause());
        }
        send("orders", "one");
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(clientConfig(), new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of("orders"));
            await().until(() -> consumer.poll(Duration.ofMillis(100)).count() == 1);
        }
    }

    @Test
    void pluginGoesAndComesWhileTheNodeRuns() {
        String name = NODE.deployProject(); // once more: replaces the one that is there
        assertEquals("hello, again", greeting("again"));

        NODE.remove(name);
        NODE.awaitNotServed(GreetingHandler.API_KEY);

        NODE.deployProject();
        NODE.awaitServed(GreetingHandler.API_KEY);
    }

    private static String greeting(String name) {
        try (ApiClient client = NODE.connect()) {
            return UTF_8.decode(client.call(GreetingHandler.API_KEY, 0, UTF_8.encode(name))).toString();
        }
    }

    private static void send(String topic, String value) throws Exception {
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(clientConfig(), new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, value)).get(30, SECONDS);
        }
    }

    private static Map<String, Object> clientConfig() {
        return Map.of(
                "bootstrap.servers", NODE.bootstrapServers(),
                "group.id", "readers",
                "auto.offset.reset", "earliest");
    }
}
