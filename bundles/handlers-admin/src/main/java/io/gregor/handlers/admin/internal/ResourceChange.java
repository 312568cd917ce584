package io.gregor.handlers.admin.internal;

import io.gregor.internal.admin.SettingChange;
import java.util.List;
import org.apache.kafka.common.config.ConfigResource;

/**
 * One resource of a request to change configurations. Immutable.
 *
 * @param key which resource it is
 * @param settings the changed settings, repeated as in the request
 */
public record ResourceChange(ConfigKey key, List<SettingChange> settings) {
    /** The resource's type. */
    public ConfigResource.Type type() {
        return ConfigResource.Type.forId(key.type());
    }
}
