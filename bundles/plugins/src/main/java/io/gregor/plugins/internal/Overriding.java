package io.gregor.plugins.internal;

import io.gregor.api.RequestHandler;
import java.lang.reflect.Array;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.runtime.dto.ComponentDescriptionDTO;

/** Tells whether a bundle's handlers would serve keys that others serve now. Immutable. */
final class Overriding {
    private static final String KEY = "api.key";

    private final BundleContext context;
    private final Components components;

    Overriding(BundleContext context, Components components) {
        this.context = context;
        this.components = components;
    }

    /** Whether a component of this bundle, satisfied or not, is a handler for a key that another bundle's handler serves. */
    boolean isOverriding(Bundle bundle) {
        Set<Integer> keys = new HashSet<>();
        for (ComponentDescriptionDTO component : components.enabled(bundle)) {
            if (Set.of(component.serviceInterfaces).contains(RequestHandler.class.getName())) {
                addKeys(component.properties, keys);
            }
        }
        return !keys.isEmpty() && isServedByOthers(bundle, keys);
    }

    private boolean isServedByOthers(Bundle bundle, Set<Integer> keys) {
        try {
            for (ServiceReference<RequestHandler> one : context.getServiceReferences(RequestHandler.class, null)) {
                Set<Integer> served = new HashSet<>();
                addKeys(one.getProperties() == null ? Map.of() : Map.of(KEY, value(one)), served);
                if (!bundle.equals(one.getBundle()) && served.stream().anyMatch(keys::contains)) {
                    return true;
                }
            }
            return false;
        } catch (InvalidSyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Object value(ServiceReference<?> reference) {
        Object value = reference.getProperty(KEY);
        return value == null ? new int[0] : value;
    }

    /** One number, or an array or collection of numbers. */
    private static void addKeys(Map<String, Object> properties, Set<Integer> keys) {
        add(properties.get(KEY), keys);
    }

    private static void add(@Nullable Object value, Set<Integer> keys) {
        if (value instanceof Number number) {
            keys.add(number.intValue());
        } else if (value instanceof Iterable<?> many) {
            many.forEach(one -> add(one, keys));
        } else if (value != null && value.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(value); i++) {
                add(Array.get(value, i), keys);
            }
        }
    }
}
