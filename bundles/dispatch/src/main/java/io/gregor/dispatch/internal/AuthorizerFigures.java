package io.gregor.dispatch.internal;

import io.gregor.internal.node.Role;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.Monitorable;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.config.ServerConfigs;

/**
 * Gives authorizers the metrics that they have of their own (KIP-877), with the tags {@code config}, {@code class} and
 * {@code role}. Kafka's StandardAuthorizer, of which Kafka has one a role, shows here once for each role of the node, with
 * the same figures, as in a combined node of Kafka's, where both instances share their sensors. Others get one set, of the
 * node's first role. Shared: any thread.
 */
final class AuthorizerFigures {
    private final Metrics metrics;
    private final List<String> roles;
    private final Map<Map<String, String>, Given> given = new ConcurrentHashMap<>();

    private record Given(Authorizer authorizer, PluginMetricsImpl metrics) {
        void close() {
            Utils.closeQuietly(metrics, "metrics of an authorizer");
        }
    }

    AuthorizerFigures(Metrics metrics, Collection<Role> roles) {
        this.metrics = metrics;
        this.roles = roles.stream().sorted().map(Role::property).toList();
    }

    /** Its metrics begin; those of a former one of the same class end, since names are given once. */
    void begin(Authorizer authorizer) {
        if (authorizer instanceof Monitorable monitored) {
            List<String> shown = authorizer.getClass() == StandardAuthorizer.class ? roles : roles.subList(0, 1);
            shown.forEach(role -> begin(authorizer, monitored, tags(authorizer, role)));
        }
    }

    private void begin(Authorizer authorizer, Monitorable monitored, Map<String, String> tags) {
        PluginMetricsImpl made = new PluginMetricsImpl(metrics, tags);
        Given former = given.put(tags, new Given(authorizer, made));
        if (former != null) {
            former.close();
        }
        monitored.withPluginMetrics(made);
    }

    /** Its metrics end, unless those of a newer one have taken their place. */
    void end(Authorizer authorizer) {
        given.values().removeIf(one -> {
            if (one.authorizer() == authorizer) {
                one.close();
                return true;
            }
            return false;
        });
    }

    /** In Kafka's order, which is that of the MBean's name. */
    private static Map<String, String> tags(Authorizer authorizer, String role) {
        Map<String, String> tags = new LinkedHashMap<>();
        tags.put("config", ServerConfigs.AUTHORIZER_CLASS_NAME_CONFIG);
        tags.put("class", authorizer.getClass().getSimpleName());
        tags.put("role", role);
        return tags;
    }
}
