package io.gregor.dispatch.internal;

import java.util.Collection;
import java.util.Comparator;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;

/**
 * Where a handler stands among those of its key; the first one serves. Immutable.
 *
 * <p>The highest ranking comes first. At equal ranking whoever came first does, as in the framework; but a symbolic name
 * comes as a whole, from the first one of its handlers on, for as long as one of them is there, and the newest bundle of a
 * name stands in front of the older ones. So with A1, B and A2 of equal ranking A2 is first, then A1, then B, and A2 stays
 * in front of B when A1 goes.
 *
 * @param ranking {@code service.ranking}
 * @param place the number of the first service of the name
 * @param bundleId the number of the bundle
 * @param serviceId the number of the service
 */
record HandlerOrder(int ranking, long place, long bundleId, long serviceId) implements Comparable<HandlerOrder> {
    private static final Comparator<HandlerOrder> FIRST_TO_LAST = Comparator.comparingInt(HandlerOrder::ranking)
            .reversed()
            .thenComparingLong(HandlerOrder::place)
            .thenComparing(Comparator.comparingLong(HandlerOrder::bundleId).reversed())
            .thenComparingLong(HandlerOrder::serviceId);

    /** Where a service stands beside those that are bound. */
    static HandlerOrder of(ServiceReference<?> reference, HandlerBundle bundle, Collection<BoundHandler> others) {
        long serviceId = number(reference, Constants.SERVICE_ID);
        String name = bundle.symbolicName();
        long place = others.stream()
                .filter(other ->
                        !name.isEmpty() && other.bundle().symbolicName().equals(name))
                .mapToLong(other -> other.order().place())
                .min()
                .orElse(serviceId);
        return new HandlerOrder((int) number(reference, Constants.SERVICE_RANKING), place, bundle.id(), serviceId);
    }

    private static long number(ServiceReference<?> reference, String property) {
        return reference.getProperty(property) instanceof Number number ? number.longValue() : 0;
    }

    @Override
    public int compareTo(HandlerOrder other) {
        return FIRST_TO_LAST.compare(this, other);
    }
}
