package io.gregor.groups.internal;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * A configuration whose values may change: the coordinator keeps the configuration that it was built with, and asks it anew
 * for what Kafka changes at run time. Shared: any thread.
 */
public final class LiveValues extends AbstractConfig {
    private volatile AbstractConfig latest;
    private volatile Map<String, ?> values;

    /** Begins with these values. */
    public LiveValues(AbstractConfig start) {
        super(new ConfigDef(), Map.of(), false);
        latest = start;
        values = new HashMap<>(start.values());
    }

    /** From now on these values count. */
    public void change(AbstractConfig now) {
        latest = now;
        values = new HashMap<>(now.values());
    }

    @Override
    protected Object get(String key) {
        Map<String, ?> present = values;
        if (!present.containsKey(key)) {
            throw new ConfigException("key=" + key + " is not known");
        }
        return present.get(key);
    }

    @Override
    public Map<String, Object> originals() {
        return latest.originals();
    }
}
