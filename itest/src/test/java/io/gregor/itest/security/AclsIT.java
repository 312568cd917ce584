package io.gregor.itest.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an answer says about ACLs counts for the next request, without waiting; who did what is in the audit log. */
class AclsIT {
    private static final int CHANGES = 40;

    @TempDir
    static Path home;

    private static SecuredNode node;
    private static Admin admin;
    private static Admin bob;
    private static KafkaProducer<String, String> alice;

    @BeforeAll
    static void start() {
        node = SecuredNode.startWithAuthorizer(home);
        admin = Admin.create(as("admin"));
        bob = Admin.create(as("bob"));
        alice = new KafkaProducer<>(as("alice"), new StringSerializer(), new StringSerializer());
    }

    @AfterAll
    static void stop() {
        alice.close();
        bob.close();
        admin.close();
        node.close();
    }

    @Test
    void eachChangeCountsWithTheNextRequest() throws Exception {
        topic("orders");
        AclBinding write = topicAcl("orders", PatternType.LITERAL, "*", AclPermissionType.ALLOW);
        AclBinding deny = topicAcl("orders", PatternType.LITERAL, "*", AclPermissionType.DENY);
        AclBinding prefix = topicAcl("ord", PatternType.PREFIXED, "127.0.0.1", AclPermissionType.ALLOW);
        AclBinding elsewhere = topicAcl("orders", PatternType.LITERAL, "10.1.2.3", AclPermissionType.DENY);
        assertThat(send("orders")).isInstanceOf(TopicAuthorizationException.class);

        create(write);
        assertThat(send("orders")).isNull();
        create(deny);
        assertThat(send("orders")).isInstanceOf(TopicAuthorizationException.class);
        delete(deny);
        assertThat(send("orders")).isNull();
        delete(write);
        assertThat(send("orders")).isInstanceOf(TopicAuthorizationException.class);
        create(prefix, elsewhere);
        assertThat(send("orders")).isNull();
        delete(prefix, elsewhere);
        assertThat(send("orders")).isInstanceOf(TopicAuthorizationException.class);
    }

    @Test
    void whatTheControllerChecksCountsToo() throws Exception {
        NewTopic own = new NewTopic("bobs-topic", 1, (short) 1);
        assertThat(fault(bob.createTopics(Set.of(own)).all())).isInstanceOf(TopicAuthorizationException.class);

        create(acl(ResourceType.TOPIC, "bobs-", PatternType.PREFIXED, "bob", AclOperation.CREATE));
        assertThat(fault(bob.createTopics(Set.of(own)).all())).isNull();
    }

    @Test
    void othersSeeNothingBreakWhileAclsChange() throws Exception {
        topic("steady");
        create(topicAcl("steady", PatternType.LITERAL, "*", AclPermissionType.ALLOW));
        AtomicBoolean isStopped = new AtomicBoolean();
        AtomicInteger sent = new AtomicInteger();
        Collection<Throwable> faults = new ConcurrentLinkedQueue<>();
        Thread sending = new Thread(() -> {
            while (!isStopped.get()) {
                Throwable fault = send("steady");
                sent.incrementAndGet();
                if (fault != null) {
                    faults.add(fault);
                }
            }
        });
        sending.start();

        for (int i = 0; i < CHANGES; i++) {
            AclBinding other = topicAcl("other-" + i % 3, PatternType.LITERAL, "*", AclPermissionType.DENY);
            create(other);
            delete(other);
        }
        isStopped.set(true);
        sending.join();

        assertThat(faults).isEmpty();
        assertThat(sent.get()).isPositive();
    }

    @Test
    void whatIsThereIsShownToThoseWhoMaySeeIt() throws Exception {
        AclBinding one = topicAcl("shown", PatternType.LITERAL, "*", AclPermissionType.ALLOW);
        AclBinding prefix = topicAcl("sho", PatternType.PREFIXED, "*", AclPermissionType.DENY);
        create(one, prefix);

        assertThat(described("shown", PatternType.LITERAL)).containsExactly(one);
        assertThat(described("shown", PatternType.MATCH)).containsExactlyInAnyOrder(one, prefix);
        assertThat(fault(bob.describeAcls(AclBindingFilter.ANY).values()))
                .isInstanceOf(ClusterAuthorizationException.class);
        assertThat(fault(bob.createAcls(Set.of(one)).all())).isInstanceOf(ClusterAuthorizationException.class);
        assertThat(fault(bob.deleteAcls(Set.of(AclBindingFilter.ANY)).all()))
                .isInstanceOf(ClusterAuthorizationException.class);
        create(acl(ResourceType.CLUSTER, "kafka-cluster", PatternType.LITERAL, "bob", AclOperation.DESCRIBE));
        assertThat(fault(bob.describeAcls(AclBindingFilter.ANY).values())).isNull();
    }

    @Test
    void mistakesAreRefusedOneByOne() {
        AclBinding good = topicAcl("good", PatternType.LITERAL, "*", AclPermissionType.ALLOW);
        AclBinding cluster = acl(ResourceType.CLUSTER, "mine", PatternType.LITERAL, "bob", AclOperation.ALTER);
        AclBinding nobody = new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, "t", PatternType.LITERAL),
                new AccessControlEntry("alice", "*", AclOperation.READ, AclPermissionType.ALLOW));

        Map<AclBinding, KafkaFuture<Void>> results =
                admin.createAcls(List.of(good, cluster, nobody)).values();

        assertThat(fault(results.get(good))).isNull();
        assertThat(fault(results.get(cluster))).isInstanceOf(InvalidRequestException.class);
        assertThat(fault(results.get(nobody))).isInstanceOf(ApiException.class);
    }

    @Test
    void administrativeRequestsAreAuditedWhereTheyAreDecided() throws Exception {
        topic("audited");
        assertThat(fault(bob.deleteTopics(Set.of("audited")).all())).isInstanceOf(TopicAuthorizationException.class);
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.TOPIC, "audited"),
                        List.of(new AlterConfigOp(
                                new ConfigEntry("retention.ms", "86400001"), AlterConfigOp.OpType.SET))))
                .all()
                .get();
        assertThat(fault(admin.deleteConsumerGroups(Set.of("no\nsuch")).all())).isInstanceOf(ApiException.class);

        assertThat(audited("\"CREATE_TOPICS\"", "\"topic:audited\""))
                .singleElement()
                .asString()
                .contains("\"principal\":\"User:admin\"", "\"client\":\"127.0.0.1\"", "\"forwarded\":true")
                .contains("\"errors\":{\"NONE\":1}");
        assertThat(audited("\"DELETE_TOPICS\"", "\"topic:audited\""))
                .singleElement()
                .asString()
                .contains("\"principal\":\"User:bob\"", "\"errors\":{\"TOPIC_AUTHORIZATION_FAILED\":1}");
        assertThat(audited("\"INCREMENTAL_ALTER_CONFIGS\"", "audited"))
                .singleElement()
                .asString()
                .contains("\"TOPIC:audited retention.ms\"")
                .doesNotContain("86400001");
        // Tried again by the client while the coordinator loads.
        assertThat(audited("\"DELETE_GROUPS\"", "\"group:no\\nsuch\""))
                .last()
                .asString()
                .contains("\"errors\":{\"GROUP_ID_NOT_FOUND\":1}")
                .contains("\"forwarded\":false", "\"listener\":\"SASL_PLAINTEXT\"");
        assertThat(lines("kafka-authorizer.log"))
                .anyMatch(line -> line.contains("Principal = User:bob is Denied operation = DELETE")
                        && line.contains("Topic:LITERAL:audited"));
    }

    private static Map<String, Object> as(String user) {
        Map<String, Object> settings = node.clients(SecurityProtocol.SASL_PLAINTEXT, "PLAIN", user);
        settings.put("enable.idempotence", "false");
        settings.put("linger.ms", "0");
        return settings;
    }

    private static void topic(String name) throws Exception {
        admin.createTopics(Set.of(new NewTopic(name, 1, (short) 1))).all().get();
    }

    private static void create(AclBinding... acls) throws Exception {
        admin.createAcls(List.of(acls)).all().get();
    }

    private static void delete(AclBinding... acls) throws Exception {
        admin.deleteAcls(Arrays.stream(acls).map(AclBinding::toFilter).toList())
                .all()
                .get();
    }

    private static Collection<AclBinding> described(String topic, PatternType type) throws Exception {
        return admin.describeAcls(new AclBindingFilter(
                        new ResourcePatternFilter(ResourceType.TOPIC, topic, type), AccessControlEntryFilter.ANY))
                .values()
                .get();
    }

    private static AclBinding topicAcl(String name, PatternType type, String host, AclPermissionType permission) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, name, type),
                new AccessControlEntry("User:alice", host, AclOperation.WRITE, permission));
    }

    private static AclBinding acl(
            ResourceType resource, String name, PatternType type, String user, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(resource, name, type),
                new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW));
    }

    /** One record of alice's; null if it is written. */
    private static Throwable send(String topic) {
        try {
            alice.send(new ProducerRecord<>(topic, "key", "value")).get();
            return null;
        } catch (ExecutionException refused) {
            return refused.getCause();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return interrupted;
        }
    }

    private static Throwable fault(KafkaFuture<?> future) {
        try {
            future.get();
            return null;
        } catch (ExecutionException refused) {
            return refused.getCause();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return interrupted;
        }
    }

    private static List<String> audited(String api, String resource) throws IOException {
        return lines("gregor-audit.log").stream()
                .filter(line -> line.contains("\"api\":" + api) && line.contains(resource))
                .toList();
    }

    private static List<String> lines(String log) throws IOException {
        return Files.readAllLines(home.resolve("logs").resolve(log));
    }
}
