package io.gregor.testing;

import java.util.Dictionary;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceReference;

/**
 * A reference to a service of a bundle; compares by ranking, then the older is greater, as the framework does. Immutable.
 *
 * @param bundle its number
 * @param <T> the service's interface
 */
public record FakeReference<T>(long id, int ranking, long bundle, String symbolicName, Map<String, Object> properties)
        implements ServiceReference<T> {
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
    public Bundle getBundle() {
        return Fake.of(
                Bundle.class,
                Map.of("getBundleId", bundle, "getSymbolicName", symbolicName, "getState", Bundle.ACTIVE));
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
    public Dictionary<String, Object> getProperties() {
        return FrameworkUtil.asDictionary(properties);
    }

    @Override
    public <A> @Nullable A adapt(Class<A> type) {
        return null;
    }
}
