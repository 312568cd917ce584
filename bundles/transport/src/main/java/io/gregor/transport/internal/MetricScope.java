package io.gregor.transport.internal;

import io.gregor.internal.node.Role;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The names of a role's metrics. Immutable. They are Kafka's; where the two roles of one process would have the same name, the
 * controller's has a tag more.
 *
 * @param isSecond whether the other role of the process has the names without the tag
 */
record MetricScope(boolean isSecond) {

    /** The names of one of these roles. */
    static MetricScope of(Role role, Set<Role> all) {
        return new MetricScope(role == Role.CONTROLLER && all.size() > 1);
    }

    /** Tags that the other role may have as well. */
    Map<String, String> tags(Map<String, String> kafkas) {
        Map<String, String> tags = new LinkedHashMap<>(kafkas);
        if (isSecond) {
            tags.put(Role.PROPERTY, Role.CONTROLLER.property());
        }
        return tags;
    }

    /** The name of a sensor that the other role may have as well. */
    String sensor(String kafkas) {
        return isSecond ? kafkas + "-" + Role.CONTROLLER.property() : kafkas;
    }
}
