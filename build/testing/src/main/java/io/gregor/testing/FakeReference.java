package io.gregor.testing;

import java.util.Dictionary;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceReference;

/**
 * A reference to a service of a bundle; two of one number are equal, and it compares by ranking, then the older is greater, as
 * the framework does. Immutable.
 *
 * @param <T> the service's interface
 */
public final class FakeReference<T> implements ServiceReference<T> {
    private final long id;
    private final int ranking;
    private final Map<String, Object> properties;
    private final @Nullable Bundle bundle;

    /** Of a bundle; of none if that has left. */
    public FakeReference(long id, int ranking, Map<String, Object> properties, @Nullable Bundle bundle) {
        this.id = id;
        this.ranking = ranking;
        this.properties = properties;
        this.bundle = bundle;
    }

    /** Of no bundle. */
    public FakeReference(long id, int ranking, Map<String, Object> properties) {
        this(id, ranking, properties, null);
    }

    /** Of a bundle with this number and name. */
    public FakeReference(long id, int ranking, long bundle, String symbolicName, Map<String, Object> properties) {
        this(id, ranking, properties, new FakeBundle(bundle, symbolicName).bundle());
    }

    /** Of a bundle of its own, without properties. */
    public static <T> FakeReference<T> of(long id) {
        return new FakeReference<>(id, 0, id, "bundle-" + id, Map.of());
    }

    @Override
    public @Nullable Object getProperty(String key) {
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
    public @Nullable Bundle getBundle() {
        return bundle;
    }

    @Override
    public Bundle[] getUsingBundles() {
        return new Bundle[0];
    }

    @Override
    public boolean isAssignableTo(Bundle other, String className) {
        return true;
    }

    @Override
    public int compareTo(Object other) {
        FakeReference<?> that = (FakeReference<?>) other;
        return ranking != that.ranking ? Integer.compare(ranking, that.ranking) : Long.compare(that.id, id);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FakeReference<?> that && that.id == id;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(id);
    }

    @Override
    public Dictionary<String, Object> getProperties() {
        return FrameworkUtil.asDictionary(properties);
    }

    @Override
    public <A> @Nullable A adapt(Class<A> type) {
        return null;
    }
}
