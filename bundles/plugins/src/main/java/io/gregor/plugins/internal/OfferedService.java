package io.gregor.plugins.internal;

import io.gregor.internal.node.Role;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;

/**
 * A service of a bundle, as far as it matters who serves what. Immutable.
 *
 * @param bundle the symbolic name of its bundle
 * @param types its interfaces
 * @param keys the API keys of a handler or filter
 * @param roles the roles that it is for; none stands for the broker
 * @param ranking its {@code service.ranking}
 */
record OfferedService(String bundle, List<String> types, Set<String> keys, Set<String> roles, int ranking) {
    private static final String KEY = "api.key";

    /** The services of a bundle. */
    static List<OfferedService> of(Bundle bundle) {
        ServiceReference<?>[] services = bundle.getRegisteredServices();
        return services == null
                ? List.of()
                : Arrays.stream(services).map(one -> of(bundle, one)).toList();
    }

    private static OfferedService of(Bundle bundle, ServiceReference<?> service) {
        Object ranking = service.getProperty(Constants.SERVICE_RANKING);
        return new OfferedService(
                String.valueOf(bundle.getSymbolicName()),
                List.copyOf(all(service.getProperty(Constants.OBJECTCLASS))),
                all(service.getProperty(KEY)),
                all(service.getProperty(Role.PROPERTY)),
                ranking instanceof Integer number ? number : 0);
    }

    /** One value, or an array or collection of values. */
    private static Set<String> all(@Nullable Object value) {
        Set<String> values = new LinkedHashSet<>();
        if (value instanceof Iterable<?> many) {
            many.forEach(one -> values.add(String.valueOf(one)));
        } else if (value != null && value.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(value); i++) {
                values.add(String.valueOf(Array.get(value, i)));
            }
        } else if (value != null) {
            values.add(value.toString());
        }
        return values;
    }

    boolean isA(Class<?> type) {
        return types.contains(type.getName());
    }

    /** A key that both serve in the same role. */
    Optional<String> sharedKey(OfferedService other) {
        boolean isSameRole = served().stream().anyMatch(other.served()::contains);
        return keys.stream()
                .filter(key -> isSameRole && other.keys.contains(key))
                .findFirst();
    }

    private Set<String> served() {
        return roles.isEmpty() ? Set.of(Role.BROKER.property()) : roles;
    }
}
