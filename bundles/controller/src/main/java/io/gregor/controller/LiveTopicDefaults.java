package io.gregor.controller;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.storage.TopicDefaultKeys;
import java.util.Map;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;

/**
 * The defaults of topics' settings that count now: a topic's own settings are checked together with them. Whether leaders are
 * elected uncleanly, and how many replicas must be in sync, Kafka's controller reads in the metadata itself. Shared: any
 * thread; changes come from the reconfiguration thread.
 */
@Component(
        configurationPid = Configurations.CONTROLLER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true,
        service = {LiveSettings.class, LiveTopicDefaults.class},
        property = "role=controller")
public final class LiveTopicDefaults implements LiveSettings {
    private volatile Map<String, Object> current;

    /** Begins with the defaults of the start. */
    @Activate
    public LiveTopicDefaults(@Reference NodeConfig start) {
        current = start.topicDefaults();
    }

    /** The defaults, by the topic's key. */
    public Map<String, Object> current() {
        return current;
    }

    @Override
    public boolean owns(String key) {
        return TopicDefaultKeys.contains(key);
    }

    @Override
    public PreparedChange prepare(ConfigChange change) {
        Map<String, Object> after = change.after().topicDefaults();
        new LogConfig(after);
        return PreparedChange.of(() -> current = after);
    }
}
