package io.gregor.dispatch.internal;

import io.gregor.api.FiltersApis;
import io.gregor.internal.node.Role;
import java.lang.reflect.Array;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.utils.internals.SecurityUtils;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.ServiceReference;

/**
 * Reads the service properties of {@link FiltersApis}, which come from annotations, XML or a map made by hand: as numbers or
 * texts, one or many. Notes what is wrong. Owned by the thread that binds the filter.
 */
final class FilterProperties {
    static final String OPEN = "open";
    static final String CLOSED = "closed";
    static final String TIME = "filter.time.ms";
    static final String LIMIT = "filter.limit.ms";
    static final String ALLOCATED = "filter.allocated.bytes";
    static final String WINDOW = "filter.window.ms";

    private static final String KEYS = "api.key";
    private static final String LISTENERS = "listener";
    private static final String PRINCIPALS = "principal";
    private static final String FAILS = "filter.fails";
    private static final String FAULTS = "filter.faults";

    private static final long DEFAULT_TIME_MS = 100;
    private static final long DEFAULT_LIMIT_MS = 5_000;
    private static final long DEFAULT_ALLOCATED_BYTES = 16L * 1024 * 1024;
    private static final int DEFAULT_FAULTS = 5;
    private static final long DEFAULT_WINDOW_MS = 60_000;

    private final ServiceReference<?> reference;
    private final List<String> wrong = new ArrayList<>();

    private FilterProperties(ServiceReference<?> reference) {
        this.reference = reference;
    }

    /** What the filter says of itself; with what is wrong in it. */
    static FilterTerms read(ServiceReference<?> reference) {
        return new FilterProperties(reference).terms();
    }

    private FilterTerms terms() {
        checkRoles();
        List<Short> keys = keys();
        List<KafkaPrincipal> principals = principals();
        boolean isClosed = isClosed();
        FilterTerms.Budget budget = budget();
        return new FilterTerms(keys, texts(LISTENERS), principals, isClosed, budget, String.join("; ", wrong));
    }

    private FilterTerms.Budget budget() {
        long timeMs = number(TIME, DEFAULT_TIME_MS, Integer.MAX_VALUE);
        long limitMs = number(LIMIT, DEFAULT_LIMIT_MS, Integer.MAX_VALUE);
        if (limitMs < timeMs) {
            wrong(LIMIT, limitMs, "at least " + TIME + "=" + timeMs);
        }
        return new FilterTerms.Budget(
                Duration.ofMillis(timeMs),
                Duration.ofMillis(limitMs),
                number(ALLOCATED, DEFAULT_ALLOCATED_BYTES, Long.MAX_VALUE),
                (int) number(FAULTS, DEFAULT_FAULTS, FaultWindow.MAX_FAULTS),
                Duration.ofMillis(number(WINDOW, DEFAULT_WINDOW_MS, Integer.MAX_VALUE)));
    }

    private List<Short> keys() {
        List<Short> keys = new ArrayList<>();
        for (Object value : values(KEYS)) {
            Long key = number(value);
            if (key == null || !isKey(key)) {
                wrong(KEYS, value, "one of Kafka's or " + ApiTable.FIRST_NEW_KEY + " to " + Short.MAX_VALUE);
            } else if (!keys.contains(key.shortValue())) {
                keys.add(key.shortValue());
            }
        }
        if (values(KEYS).isEmpty()) {
            wrong(KEYS, "", "at least one API key, as nothing is seen without");
        }
        return List.copyOf(keys);
    }

    private static boolean isKey(long key) {
        return key >= ApiTable.FIRST_NEW_KEY ? key <= Short.MAX_VALUE : key >= 0 && ApiKeys.hasId((int) key);
    }

    private void checkRoles() {
        for (String role : texts(Role.PROPERTY)) {
            if (!role.equals(Role.BROKER.property()) && !role.equals(Role.CONTROLLER.property())) {
                wrong(Role.PROPERTY, role, Role.BROKER.property() + " or " + Role.CONTROLLER.property());
            }
        }
    }

    private List<KafkaPrincipal> principals() {
        List<KafkaPrincipal> principals = new ArrayList<>();
        for (String value : texts(PRINCIPALS)) {
            try {
                principals.add(SecurityUtils.parseKafkaPrincipal(value));
            } catch (IllegalArgumentException unreadable) {
                wrong(PRINCIPALS, value, "a type and a name, as User:alice");
            }
        }
        return List.copyOf(principals);
    }

    /** What is neither counts as closed: to pass by a filter that was meant to be closed could not be made good. */
    private boolean isClosed() {
        List<String> values = texts(FAILS);
        if (values.isEmpty() || values.equals(List.of(OPEN))) {
            return false;
        }
        if (!values.equals(List.of(CLOSED))) {
            wrong(FAILS, String.join(",", values), OPEN + " or " + CLOSED + " (and counts as " + CLOSED + ")");
        }
        return true;
    }

    private long number(String name, long otherwise, long most) {
        Object value = reference.getProperty(name);
        if (value == null) {
            return otherwise;
        }
        Long number = number(value);
        if (number == null || number < 1 || number > most) {
            wrong(
                    name,
                    value,
                    most == Long.MAX_VALUE ? "a whole number from 1 up" : "a whole number from 1 to " + most);
            return otherwise;
        }
        return number;
    }

    private static @Nullable Long number(Object value) {
        if (value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        }
        try {
            return value instanceof String text ? Long.valueOf(text.trim()) : null;
        } catch (NumberFormatException unreadable) {
            return null;
        }
    }

    private List<String> texts(String name) {
        return values(name).stream().map(value -> String.valueOf(value).trim()).toList();
    }

    private List<Object> values(String name) {
        List<Object> values = new ArrayList<>();
        collect(reference.getProperty(name), values);
        return values;
    }

    private static void collect(@Nullable Object property, List<Object> to) {
        if (property instanceof Collection<?> many) {
            many.forEach(one -> collect(one, to));
        } else if (property != null && property.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(property); i++) {
                collect(Array.get(property, i), to);
            }
        } else if (property != null) {
            to.add(property);
        }
    }

    private void wrong(String name, Object value, String right) {
        wrong.add(name + "=" + value + " must be " + right);
    }
}
