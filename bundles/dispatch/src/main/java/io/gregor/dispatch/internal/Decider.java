package io.gregor.dispatch.internal;

import java.util.Optional;
import org.apache.kafka.common.internals.Plugin;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.server.AuthHelper;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.config.ServerConfigs;
import org.jspecify.annotations.Nullable;

/**
 * Who decides what principals may do, at one moment. Immutable.
 *
 * @param authorizer null if everything is allowed to everyone
 * @param helper Kafka's own, over that
 */
public record Decider(@Nullable Authorizer authorizer, AuthHelper helper) {
    /** Everything is allowed. */
    public static final Decider OPEN = new Decider(null, new AuthHelper(Optional.empty()));

    /** Decided by an authorizer. */
    public static Decider of(Authorizer authorizer, Metrics metrics) {
        Plugin<Authorizer> plugin =
                Plugin.wrapInstance(authorizer, metrics, ServerConfigs.AUTHORIZER_CLASS_NAME_CONFIG);
        return new Decider(authorizer, new AuthHelper(Optional.of(plugin)));
    }

    /** Whether everything is allowed to everyone. */
    public boolean isOpen() {
        return authorizer == null;
    }
}
