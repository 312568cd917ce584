package io.gregor.dispatch.internal;

import io.gregor.api.RequestFilter;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;

/** A reference to a filter with properties. */
final class FakeFilterReference implements ServiceReference<RequestFilter> {
    private final long id;
    private final Map<String, Object> properties;
    private final @Nullable Bundle bundle;

    FakeFilterReference(long id, Map<String, Object> properties, @Nullable Bundle bundle) {
        this.id = id;
        this.properties = properties;
        this.bundle = bundle;
    }

    @Override
    public Object getProperty(String key) {
        return key.equals("service.id") ? (Object) id : properties.get(key);
    }

    @Override
    public String[] getPropertyKeys() {
        return properties.keySet().toArray(String[]::new);
    }

    @Override
    public Bundle getBundle() {
        return bundle;
    }

    @Override
    public Bundle[] getUsingBundles() {
        return null;
    }

    @Override
    public boolean isAssignableTo(Bundle asking, String className) {
        return true;
    }

    @Override
    public int compareTo(Object other) {
        throw new UnsupportedOperationException("filters have an order of their own");
    }

    @Override
    public Dictionary<String, Object> getProperties() {
        return new Hashtable<>(properties);
    }

    @Override
    public <A> A adapt(Class<A> type) {
        return null;
    }
}
