package io.gregor.itest.security.rights;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.types.Schema;
import org.apache.kafka.common.protocol.types.TaggedFields;
import org.apache.kafka.common.protocol.types.Type;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** Fills fields of Kafka's messages by their names, as far as a version has them. Stateless. */
final class MessageFields {
    private static final Map<Class<?>, Function<String, Object>> VALUES = Map.ofEntries(
            Map.entry(String.class, text -> text),
            Map.entry(byte.class, Byte::valueOf),
            Map.entry(short.class, Short::valueOf),
            Map.entry(int.class, Integer::valueOf),
            Map.entry(long.class, Long::valueOf),
            Map.entry(Byte.class, Byte::valueOf),
            Map.entry(Short.class, Short::valueOf),
            Map.entry(Integer.class, Integer::valueOf),
            Map.entry(Long.class, Long::valueOf),
            Map.entry(double.class, Double::valueOf),
            Map.entry(boolean.class, Boolean::valueOf),
            Map.entry(Uuid.class, Uuid::fromString),
            Map.entry(byte[].class, MessageFields::bytes),
            Map.entry(ByteBuffer.class, text -> ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8))),
            Map.entry(
                    BaseRecords.class,
                    text -> MemoryRecords.withRecords(
                            Compression.NONE, new SimpleRecord(text.getBytes(StandardCharsets.UTF_8)))));

    private MessageFields() {}

    /**
     * Sets fields of a message of a version.
     *
     * @param values by path: a dot leads into a structure or the only element of an array; {@code null} is null,
     *     {@code []} an empty array, commas part the elements of one
     */
    static void fill(Message message, Schema schema, Map<String, String> values) {
        Map<String, Map<String, String>> parts = new LinkedHashMap<>();
        values.forEach((path, value) -> {
            int dot = path.indexOf('.');
            parts.computeIfAbsent(dot < 0 ? path : path.substring(0, dot), name -> new LinkedHashMap<>())
                    .put(dot < 0 ? "" : path.substring(dot + 1), value);
        });
        parts.forEach((name, inner) -> {
            Field field = field(message, name);
            type(schema, name).ifPresent(type -> set(message, field, type, inner));
        });
    }

    private static byte[] bytes(String text) {
        return text.startsWith("base64:")
                ? Base64.getDecoder().decode(text.substring("base64:".length()))
                : text.getBytes(StandardCharsets.UTF_8);
    }

    private static Field field(Message message, String name) {
        try {
            Field field = message.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException none) {
            throw new IllegalArgumentException("no field " + name + " in " + message.getClass(), none);
        }
    }

    private static Optional<Type> type(Schema schema, String name) {
        return Arrays.stream(schema.fields())
                .map(field -> field.def)
                .flatMap(field -> field.type instanceof TaggedFields tagged
                        ? tagged.fields().values().stream()
                        : Stream.of(field))
                .filter(field -> field.name.replace("_", "").equalsIgnoreCase(name))
                .map(field -> field.type)
                .findFirst();
    }

    private static void set(Message message, Field field, Type type, Map<String, String> values) {
        try {
            String value = values.get("");
            field.set(message, value == null ? part(field, type, values) : value(field, value));
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(field.toString(), impossible);
        }
    }

    private static Object value(Field field, String value) throws ReflectiveOperationException {
        if (value.equals("null")) {
            return null;
        }
        if (!Collection.class.isAssignableFrom(field.getType())) {
            return VALUES.get(field.getType()).apply(value);
        }
        if (value.equals("[]")) {
            return List.class == field.getType() ? List.of() : made(field.getType());
        }
        return Arrays.stream(value.split(","))
                .map(VALUES.get(elementClass(field)))
                .toList();
    }

    private static Object part(Field field, Type type, Map<String, String> values) throws ReflectiveOperationException {
        Message part = (Message) made(elementClass(field));
        fill(part, (Schema) type.arrayElementType().map(Type.class::cast).orElse(type), values);
        if (Message.class.isAssignableFrom(field.getType())) {
            return part;
        }
        if (field.getType() == List.class) {
            return List.of(part);
        }
        @SuppressWarnings("unchecked")
        Collection<Object> keyed = (Collection<Object>) made(field.getType());
        keyed.add(part);
        return keyed;
    }

    private static Class<?> elementClass(Field field) {
        if (field.getType() == List.class) {
            return (Class<?>) ((ParameterizedType) field.getGenericType()).getActualTypeArguments()[0];
        }
        if (Collection.class.isAssignableFrom(field.getType())) {
            return (Class<?>) ((ParameterizedType) field.getType().getGenericSuperclass()).getActualTypeArguments()[0];
        }
        return field.getType();
    }

    private static Object made(Class<?> type) throws ReflectiveOperationException {
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }
}
