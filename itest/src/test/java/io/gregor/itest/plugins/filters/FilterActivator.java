package io.gregor.itest.plugins.filters;

import io.gregor.api.RequestFilter;
import java.util.Dictionary;
import java.util.Hashtable;
import java.util.List;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Registers the filter that the manifest names, with the properties that stand there. Immutable. */
public final class FilterActivator implements BundleActivator {
    /** Headers of the bundle: the constant, and {@code name=value} of properties with commas between. */
    public static final String FILTER = "X-Filter";

    /** See {@link #FILTER}. */
    public static final String PROPERTIES = "X-Properties";

    @Override
    public void start(BundleContext context) {
        Dictionary<String, String> headers = context.getBundle().getHeaders("");
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("role", "broker");
        for (String property : List.of(headers.get(PROPERTIES).split(","))) {
            int equals = property.indexOf('=');
            String value = property.substring(equals + 1);
            properties.put(
                    property.substring(0, equals), value.matches("\\d+") ? (Object) Integer.valueOf(value) : value);
        }
        context.registerService(RequestFilter.class, filter(headers.get(FILTER)), properties);
    }

    private static RequestFilter filter(String name) {
        for (Fault fault : Fault.values()) {
            if (fault.name().equals(name)) {
                return fault;
            }
        }
        return Use.valueOf(name);
    }

    @Override
    public void stop(BundleContext context) {}
}
