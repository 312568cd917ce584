package io.gregor.testing;

import io.gregor.api.NodeSettings;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Settings of a plugin that a test changes. Owned by the test's thread. */
public final class FakeNodeSettings implements NodeSettings {
    private final Map<String, String> values = new TreeMap<>();
    private @Nullable SettingsOwner owner;

    /** With these values. */
    public FakeNodeSettings(Map<String, String> values) {
        this.values.putAll(values);
    }

    /** Gives the owner a new value, as a stored change does; what the owner throws is thrown, and nothing changes then. */
    public void set(String key, String value) {
        if (owner == null) {
            throw new IllegalStateException("no owner");
        }
        Map<String, String> proposed = new TreeMap<>(values);
        proposed.put(key, value);
        owner.prepare(Map.copyOf(proposed)).run();
        values.put(key, value);
    }

    /** Whether somebody owns the settings now. */
    public boolean isOwned() {
        return owner != null;
    }

    @Override
    public Owned own(String prefix, SettingsOwner first) {
        first.prepare(Map.copyOf(values)).run();
        owner = first;
        return () -> owner = null;
    }
}
