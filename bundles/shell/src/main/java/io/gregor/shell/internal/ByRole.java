package io.gregor.shell.internal;

import io.gregor.internal.node.Role;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Orders the services of the two roles. Immutable. */
public final class ByRole {
    private ByRole() {}

    /** The services by the role that their properties name, {@code broker} first. */
    public static <T> SortedMap<String, T> sorted(List<Map.Entry<Map<String, Object>, T>> services) {
        SortedMap<String, T> byRole = new TreeMap<>();
        for (Map.Entry<Map<String, Object>, T> service : services) {
            byRole.put(String.valueOf(service.getKey().get(Role.PROPERTY)), service.getValue());
        }
        return byRole;
    }
}
