package io.gregor.dispatch.internal;

import java.util.Dictionary;
import java.util.Hashtable;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;

/** A reference to a service of no bundle. Immutable. */
record BenchedReference<S>(long id, S service, Map<String, Object> properties) implements ServiceReference<S> {
    @Override
    public @Nullable Object getProperty(String key) {
        return key.equals("service.id") ? (Object) id : properties.get(key);
    }

    @Override
    public String[] getPropertyKeys() {
        return properties.keySet().toArray(String[]::new);
    }

    @Override
    public @Nullable Bundle getBundle() {
        return null;
    }

    @Override
    public Bundle[] getUsingBundles() {
        return new Bundle[0];
    }

    @Override
    public boolean isAssignableTo(Bundle bundle, String className) {
        return true;
    }

    @Override
    public int compareTo(Object other) {
        return Long.compare(((BenchedReference<?>) other).id, id);
    }

    @Override
    public Dictionary<String, Object> getProperties() {
        return new Hashtable<>(properties);
    }

    @Override
    public <A> @Nullable A adapt(Class<A> type) {
        return null;
    }
}
