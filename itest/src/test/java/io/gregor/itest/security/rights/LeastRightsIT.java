package io.gregor.itest.security.rights;

import static org.apache.kafka.common.acl.AclOperation.ALTER_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.security.SecuredNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ACLs that Kafka's documentation names are enough for what they are for, and what is left out is missed. */
class LeastRightsIT {
    private static final String USER = "alice";

    @TempDir
    static Path home;

    private static SecuredNode node;
    private static Admin admin;

    @BeforeAll
    static void start() {
        node = SecuredNode.startWithAuthorizer(home);
        admin = Admin.create(node.clients());
    }

    @AfterAll
    static void stop() {
        admin.close();
        node.close();
    }

    @Test
    void producerNeedsWriteOnTheTopicAlsoWhenIdempotent() throws Exception {
        create("produced");
        try (KafkaProducer<String, String> producer = producer()) {
            assertThatThrownBy(() ->
                            producer.send(new ProducerRecord<>("produced", "a")).get())
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
        }
        allow(ResourceType.TOPIC, "produced", WRITE);

        try (KafkaProducer<String, String> producer = producer()) {
            assertThat(producer.send(new ProducerRecord<>("produced", "b"))
                            .get()
                            .offset())
                    .isZero();
        }
    }

    @Test
    void consumerNeedsReadOnTheTopicAndOnTheGroup() throws Exception {
        create("consumed");
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(node.clients(), new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>("consumed", "a")).get();
        }
        allow(ResourceType.TOPIC, "consumed", READ);
        for (String protocol : List.of("classic", "consumer")) {
            String group = "group-" + protocol;
            try (KafkaConsumer<String, String> consumer = consumer(group, protocol)) {
                consumer.subscribe(List.of("consumed"));
                assertThatThrownBy(() -> poll(consumer)).isInstanceOf(GroupAuthorizationException.class);
            }
            allow(ResourceType.GROUP, group, READ);

            try (KafkaConsumer<String, String> consumer = consumer(group, protocol)) {
                consumer.subscribe(List.of("consumed"));
                assertThat(poll(consumer)).containsExactly("a");
                consumer.commitSync();
            }
        }
    }

    @Test
    void administratorNeedsCreateDescribeAlterAndDelete() throws Exception {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "own");
        try (Admin alice = Admin.create(alice())) {
            NewTopic own = new NewTopic("own", 1, (short) 1);
            assertThatThrownBy(() -> alice.createTopics(List.of(own)).all().get())
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
            allow(ResourceType.TOPIC, "own", CREATE);
            alice.createTopics(List.of(own)).all().get();

            assertThatThrownBy(() ->
                            alice.describeTopics(List.of("own")).allTopicNames().get())
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
            allow(ResourceType.TOPIC, "own", DESCRIBE);
            assertThat(alice.describeTopics(List.of("own")).allTopicNames().get())
                    .containsOnlyKeys("own");
            assertThat(alice.listTopics().names().get()).contains("own").doesNotContain("consumed", "produced");

            allow(ResourceType.TOPIC, "own", ALTER_CONFIGS);
            alice.incrementalAlterConfigs(Map.of(
                            topic,
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("retention.ms", "1000000"), AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
            assertThat(alice.describeConfigs(List.of(topic))
                            .all()
                            .get()
                            .get(topic)
                            .get("retention.ms")
                            .value())
                    .isEqualTo("1000000");
            allow(ResourceType.TOPIC, "own", DELETE);
            alice.deleteTopics(List.of("own")).all().get();
        }
    }

    private static void create(String topic) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
    }

    /** Returns when the broker's authorizer knows of it. */
    private static void allow(ResourceType type, String name, AclOperation operation) throws Exception {
        AclBinding binding = new AclBinding(
                new ResourcePattern(type, name, PatternType.LITERAL),
                new AccessControlEntry("User:" + USER, "*", operation, AclPermissionType.ALLOW));
        admin.createAcls(List.of(binding)).all().get();
        await().until(() ->
                admin.describeAcls(binding.toFilter()).values().get().contains(binding));
    }

    private static Map<String, Object> alice() {
        return node.clients(SecurityProtocol.SASL_PLAINTEXT, "PLAIN", USER);
    }

    private static KafkaProducer<String, String> producer() {
        return new KafkaProducer<>(alice(), new StringSerializer(), new StringSerializer());
    }

    private static KafkaConsumer<String, String> consumer(String group, String protocol) {
        Map<String, Object> settings = alice();
        settings.put("group.id", group);
        settings.put("group.protocol", protocol);
        settings.put("auto.offset.reset", "earliest");
        return new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
    }

    private static List<String> poll(KafkaConsumer<String, String> consumer) {
        List<String> values = new ArrayList<>();
        await().until(() -> {
            consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
            return !values.isEmpty();
        });
        return values;
    }
}
