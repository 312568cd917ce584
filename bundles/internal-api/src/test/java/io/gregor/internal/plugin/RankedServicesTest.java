package io.gregor.internal.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;

class RankedServicesTest {
    private final RankedServices<Runnable> services = new RankedServices<>();

    @Test
    void countsTheHighestRanking() {
        Runnable low = add(1, 0, 10, "a");
        Runnable high = add(2, 5, 11, "b");

        assertThat(services.first()).isSameAs(high);
        assertThat(services.all()).containsExactly(high, low);
    }

    @Test
    void countsTheFirstThatCameAmongEqualsOfDifferentNames() {
        Runnable first = add(1, 0, 10, "a");
        add(2, 0, 11, "b");

        assertThat(services.first()).isSameAs(first);
    }

    @Test
    void countsTheNewestBundleOfANameAtOnce() {
        add(1, 0, 10, "a");
        add(2, 0, 11, "b");
        Runnable newest = add(3, 0, 12, "a");

        assertThat(services.first()).isSameAs(newest);
    }

    @Test
    void anOlderBundleOfTheNameWithAHigherRankingStays() {
        Runnable former = add(1, 5, 10, "a");
        add(2, 0, 12, "a");

        assertThat(services.first()).isSameAs(former);
    }

    @Test
    void returnsToTheFormerWhenTheNewestLeaves() {
        Runnable former = add(1, 0, 10, "a");
        add(3, 0, 12, "a");

        services.remove(reference(3, 0, 12, "a"));

        assertThat(services.first()).isSameAs(former);
    }

    @Test
    void hasNoneWhenAllHaveLeft() {
        add(1, 0, 10, "a");

        services.remove(reference(1, 0, 10, "a"));

        assertThat(services.first()).isNull();
    }

    private Runnable add(long id, int ranking, long bundleId, String name) {
        Runnable service = new Thread();
        services.add(reference(id, ranking, bundleId, name), service);
        return service;
    }

    @SuppressWarnings("unchecked")
    private static ServiceReference<Runnable> reference(long id, int ranking, long bundleId, String name) {
        Bundle bundle = proxy(Bundle.class, Map.of("getBundleId", bundleId, "getSymbolicName", name));
        return (ServiceReference<Runnable>) Proxy.newProxyInstance(
                RankedServicesTest.class.getClassLoader(),
                new Class<?>[] {ServiceReference.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "getBundle" -> bundle;
                    case "getProperty" -> arguments[0].equals("service.ranking") ? (Object) ranking : (Object) id;
                    case "hashCode" -> Long.hashCode(id);
                    case "equals" -> id(arguments[0]) == id;
                    case "compareTo" ->
                        ranking == ranking(arguments[0])
                                ? Long.compare(id(arguments[0]), id)
                                : Integer.compare(ranking, ranking(arguments[0]));
                    default -> throw new AssertionError(method);
                });
    }

    private static long id(Object reference) {
        return (Long) ((ServiceReference<?>) reference).getProperty("service.id");
    }

    private static int ranking(Object reference) {
        return (Integer) ((ServiceReference<?>) reference).getProperty("service.ranking");
    }

    private static <T> T proxy(Class<T> type, Map<String, ?> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answers.get(method.getName())));
    }
}
