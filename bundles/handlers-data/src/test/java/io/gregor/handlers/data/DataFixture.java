package io.gregor.handlers.data;

import io.gregor.api.Request;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.node.NodeConfig;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.jspecify.annotations.Nullable;

/** Requests, metadata and permissions for handlers. Topics have the partition 0. Owned by the test's thread. */
final class DataFixture {
    static final Uuid TOPIC_ID = Uuid.randomUuid();

    /** What became of requests: a response, a Throwable, or {@code nothing} or {@code closed}. */
    final List<Object> answers = new ArrayList<>();

    private final Map<String, Uuid> topics = new HashMap<>(Map.of("t", TOPIC_ID));
    private final Set<String> denied = new HashSet<>();
    private @Nullable RuntimeException fault;
    private @Nullable Runnable whenHurried;

    /** Responses cannot be sent any more. */
    DataFixture failResponses(RuntimeException withFault) {
        fault = withFault;
        return this;
    }

    /** The answer of the request that waits is wanted now. */
    void hurry() {
        Objects.requireNonNull(whenHurried).run();
    }

    DataFixture deny(String name) {
        denied.add(name);
        return this;
    }

    Request request(AbstractRequest body) {
        RequestContext context = new RequestContext(
                new RequestHeader(body.apiKey(), body.version(), "client", 1),
                "1",
                InetAddress.getLoopbackAddress(),
                KafkaPrincipal.ANONYMOUS,
                new ListenerName("PLAINTEXT"),
                SecurityProtocol.PLAINTEXT,
                ClientInformation.EMPTY,
                false);
        return fake(Request.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "body" -> body;
            case "context" -> context;
            case "apiVersion" -> body.version();
            case "local" -> RequestLocal.noCaching();
            case "releaseBody" -> null;
            case "whenHurried" -> whenHurried = (Runnable) arguments[0];
            case "respond" -> respond(arguments[0]);
            case "respondError" -> keep(arguments[0]);
            case "apiKey" -> body.apiKey().id;
            case "respondNothing" -> keep("nothing");
            case "closeConnection" -> keep("closed");
            default -> throw new AssertionError("unexpected call: " + method.getName());
        });
    }

    ServedMetadata metadata() {
        MetadataCache cache = fake(MetadataCache.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "getTopicName" ->
                topics.entrySet().stream()
                        .filter(topic -> topic.getValue().equals(arguments[0]))
                        .map(Map.Entry::getKey)
                        .findFirst();
            case "topicIdsToNames" ->
                topics.entrySet().stream().collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));
            case "contains" ->
                topics.containsKey(((TopicPartition) arguments[0]).topic())
                        && ((TopicPartition) arguments[0]).partition() == 0;
            case "getAliveBrokerNode" -> Optional.of(new Node((int) arguments[0], "host", 9));
            default -> throw new AssertionError("unexpected call: " + method.getName());
        });
        return fake(ServedMetadata.class, (proxy, method, arguments) -> cache);
    }

    Authorization authorization() {
        return fake(Authorization.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "isOpen" -> denied.isEmpty();
            case "isAllowed" -> !denied.contains((String) arguments[3]);
            case "isAllowedSomewhere" -> denied.isEmpty();
            case "allowed" -> allowed((Collection<?>) arguments[3], name(arguments[4]));
            default -> throw new AssertionError("unexpected call: " + method.getName());
        });
    }

    static NodeConfig config() {
        AbstractKafkaConfig values = new AbstractKafkaConfig(
                AbstractKafkaConfig.CONFIG_DEF,
                Map.of("process.roles", "broker", "node.id", "1", "controller.listener.names", "C"),
                Map.of(),
                false) {};
        return fake(NodeConfig.class, (proxy, method, arguments) -> values);
    }

    private @Nullable Object respond(Object answer) {
        if (fault != null) {
            throw fault;
        }
        return keep(answer);
    }

    private @Nullable Object keep(Object answer) {
        answers.add(answer);
        return null;
    }

    /** The only answer there is. */
    <T> T answer(Class<T> type) {
        if (answers.size() != 1) {
            throw new AssertionError("answers: " + answers);
        }
        return type.cast(answers.get(0));
    }

    private Set<String> allowed(Collection<?> items, Function<Object, String> name) {
        return items.stream().map(name).filter(one -> !denied.contains(one)).collect(Collectors.toSet());
    }

    @SuppressWarnings("unchecked")
    private static Function<Object, String> name(Object function) {
        return (Function<Object, String>) function;
    }

    static MemoryRecords records(String... values) {
        return MemoryRecords.withRecords(Compression.NONE, simple(values));
    }

    static MemoryRecords transactional(String... values) {
        return MemoryRecords.withTransactionalRecords(Compression.NONE, 9, (short) 0, 0, simple(values));
    }

    private static SimpleRecord[] simple(String... values) {
        SimpleRecord[] records = new SimpleRecord[values.length];
        for (int i = 0; i < values.length; i++) {
            records[i] = new SimpleRecord(values[i].getBytes(StandardCharsets.UTF_8));
        }
        return records;
    }

    static <T> T fake(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
    }
}
