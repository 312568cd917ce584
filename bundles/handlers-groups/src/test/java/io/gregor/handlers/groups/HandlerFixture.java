package io.gregor.handlers.groups;

import io.gregor.api.Request;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.metadata.LeaderAndIsr;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.server.common.RequestLocal;
import org.jspecify.annotations.Nullable;

/** Requests, metadata and permissions for handlers. Topics have the partitions 0 and 1. */
final class HandlerFixture {
    final List<Object> answers = new ArrayList<>();
    private final Map<String, Uuid> topics = new HashMap<>();
    private final Set<String> denied = new HashSet<>();

    HandlerFixture topic(String name, Uuid id) {
        topics.put(name, id);
        return this;
    }

    HandlerFixture deny(String name) {
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
            case "respond", "respondError" -> keep(arguments[0]);
            default -> throw new AssertionError("unexpected call: " + method.getName());
        });
    }

    ServedMetadata metadata() {
        MetadataCache cache = fake(MetadataCache.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "getTopicId" -> topics.getOrDefault((String) arguments[0], Uuid.ZERO_UUID);
            case "getTopicName" ->
                topics.entrySet().stream()
                        .filter(topic -> topic.getValue().equals(arguments[0]))
                        .map(Map.Entry::getKey)
                        .findFirst();
            case "getLeaderAndIsr" ->
                Optional.of(new LeaderAndIsr(1, List.of(1)))
                        .filter(known -> topics.containsKey((String) arguments[0]) && (int) arguments[1] < 2);
            default -> throw new AssertionError("unexpected call: " + method.getName());
        });
        return fake(ServedMetadata.class, (proxy, method, arguments) -> cache);
    }

    Authorization authorization() {
        return fake(Authorization.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "isAllowed" -> !denied.contains((String) arguments[3]);
            case "allowed" -> allowed((Collection<?>) arguments[3], name(arguments[4]));
            default -> throw new AssertionError("unexpected call: " + method.getName());
        });
    }

    private @Nullable Object keep(Object answer) {
        answers.add(answer);
        return null;
    }

    private Set<String> allowed(Collection<?> items, Function<Object, String> name) {
        return items.stream().map(name).filter(one -> !denied.contains(one)).collect(Collectors.toSet());
    }

    @SuppressWarnings("unchecked")
    private static Function<Object, String> name(Object function) {
        return (Function<Object, String>) function;
    }

    static <T> T fake(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
    }
}
