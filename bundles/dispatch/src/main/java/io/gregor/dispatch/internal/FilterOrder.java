package io.gregor.dispatch.internal;

import java.util.Collection;
import java.util.Comparator;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;

/**
 * Where a filter stands in the chain; the first one is next to the client. Immutable.
 *
 * <p>The highest ranking comes first. At equal ranking whoever came first does; but a filter of a bundle that takes the
 * place of an older one of the same symbolic name has the place of the older one's filter, not the last one.
 *
 * @param ranking {@code service.ranking}
 * @param place the number of the first service in this place
 * @param serviceId the number of the service
 * @param plugin the symbolic name of its bundle; empty if there is none
 * @param name what is the same of a filter in all versions of its bundle
 */
record FilterOrder(int ranking, long place, long serviceId, String plugin, String name)
        implements Comparable<FilterOrder> {
    private static final Comparator<FilterOrder> FIRST_TO_LAST = Comparator.comparingInt(FilterOrder::ranking)
            .reversed()
            .thenComparingLong(FilterOrder::place)
            .thenComparingLong(FilterOrder::serviceId);

    /** Where a service stands beside those that are bound. */
    static FilterOrder of(ServiceReference<?> reference, Collection<BoundFilter> others) {
        long serviceId = number(reference, Constants.SERVICE_ID);
        Bundle bundle = reference.getBundle();
        String symbolicName = bundle == null ? null : bundle.getSymbolicName();
        String plugin = symbolicName == null ? "" : symbolicName;
        String name = reference.getProperty("component.name") instanceof String component ? component : "";
        long place = others.stream()
                .map(BoundFilter::order)
                .filter(other -> !plugin.isEmpty() && other.plugin.equals(plugin) && other.name.equals(name))
                .mapToLong(FilterOrder::place)
                .min()
                .orElse(serviceId);
        return new FilterOrder((int) number(reference, Constants.SERVICE_RANKING), place, serviceId, plugin, name);
    }

    private static long number(ServiceReference<?> reference, String property) {
        return reference.getProperty(property) instanceof Number number ? number.longValue() : 0;
    }

    @Override
    public int compareTo(FilterOrder other) {
        return FIRST_TO_LAST.compare(this, other);
    }
}
