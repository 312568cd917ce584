package io.gregor.dispatch.internal;

import io.gregor.api.RequestHandler;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.Map;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;

/** A service reference with properties; compares by ranking, then the older is greater, as the framework does. */
final class FakeReference implements ServiceReference<RequestHandler> {
    private final long id;
    private final int ranking;
    private final Map<String, Object> properties;
    private final Bundle bundle;

    FakeReference(long id, int ranking, Map<String, Object> properties) {
        this(id, ranking, properties, null);
    }

    FakeReference(long id, int ranking, Map<String, Object> properties, Bundle bundle) {
        this.id = id;
        this.ranking = ranking;
        this.properties = properties;
        this.bundle = bundle;
    }

    static FakeReference serving(long id, int ranking, int... keys) {
        return new FakeReference(id, ranking, Map.of("api.key", keys, "component.name", "handler-" + id));
    }

    @Override
    public Object getProperty(String key) {
        return switch (key) {
            case "service.id" -> id;
            case "service.ranking" -> ranking;
            default -> properties.get(key);
        };
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
    public boolean isAssignableTo(Bundle bundle, String className) {
        return true;
    }

    @Override
    public int compareTo(Object other) {
        FakeReference that = (FakeReference) other;
        return ranking != that.ranking ? Integer.compare(ranking, that.ranking) : Long.compare(that.id, id);
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
