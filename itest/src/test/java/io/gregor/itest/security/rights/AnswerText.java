package io.gregor.itest.security.rights;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Message;

/**
 * An answer as one line: the fields that are not as they are by default, errors by their names. What another node would
 * answer otherwise, as addresses, is shown as {@code *}: that it is told counts, not what. The words in which somebody is
 * told that he may not are left out. Stateless.
 */
final class AnswerText {
    /** Of this node, of this moment, or of other parts of the protocol. */
    private static final Set<String> OWN = Set.of(
            "apiKeys",
            "assignmentEpoch",
            "brokers",
            "clusterId",
            "controllerId",
            "expiryTimestamp",
            "expiryTimestampMs",
            "finalizedFeatures",
            "finalizedFeaturesEpoch",
            "groupEpoch",
            "host",
            "issueTimestamp",
            "issueTimestampMs",
            "leaderEpoch",
            "logDir",
            "maxTimestamp",
            "maxTimestampMs",
            "nodeEndpoints",
            "port",
            "producerEpoch",
            "producerId",
            "sessionId",
            "supportedFeatures",
            "tokenId",
            "totalBytes",
            "usableBytes");

    /** Always there, or nothing that a client may not see. */
    private static final Set<String> LEFT_OUT =
            Set.of("_unknownTaggedFields", "next", "prev", "records", "throttleTimeMs");

    private AnswerText() {}

    /** Nothing but defaults is {@code -}. */
    static String of(Message answer) {
        String text = fields(answer);
        return text.isEmpty() ? "-" : text;
    }

    private static String fields(Message message) {
        boolean isDenied = denies(message);
        return Stream.of(message.getClass().getDeclaredFields())
                .filter(field -> !(isDenied && field.getName().equals("errorMessage")))
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .filter(field -> !LEFT_OUT.contains(field.getName()))
                .map(field -> field(message, field))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(" "));
    }

    private static boolean denies(Message message) {
        return Stream.of(message.getClass().getDeclaredFields())
                .filter(field -> field.getName().equals("errorCode"))
                .anyMatch(field -> field(message, field).endsWith("AUTHORIZATION_FAILED"));
    }

    private static String field(Message message, Field field) {
        try {
            field.setAccessible(true);
            Object value = field.get(message);
            if (Objects.deepEquals(value, byDefault(message, field))) {
                return "";
            }
            return field.getName() + "=" + (OWN.contains(field.getName()) ? "*" : text(field, value));
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(field.toString(), impossible);
        }
    }

    private static Object byDefault(Message message, Field field) throws ReflectiveOperationException {
        var constructor = message.getClass().getDeclaredConstructor();
        constructor.setAccessible(true);
        return field.get(constructor.newInstance());
    }

    private static String text(Field field, Object value) {
        if (value instanceof Collection<?> elements) {
            return elements.stream()
                    .map(element -> text(field, element))
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining(" ", "[", "]"));
        }
        if (value instanceof Message part) {
            return "{" + fields(part) + "}";
        }
        if (value instanceof byte[] bytes) {
            return bytes.length + " bytes";
        }
        if (value instanceof Short code && field.getName().endsWith("rrorCode")) {
            return Errors.forCode(code).name();
        }
        return String.valueOf(value);
    }
}
