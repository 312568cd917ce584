package io.gregor.launcher;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.service.log.Logger;
import org.osgi.service.log.LoggerFactory;
import org.slf4j.event.Level;

/**
 * OSGi's log service on top of SLF4J: Declarative Services reports faults of components to it, and without one to the
 * console. Immutable.
 */
final class BundleLog implements LoggerFactory {

    @Override
    public Logger getLogger(String name) {
        return getLogger(name, Logger.class);
    }

    @Override
    public Logger getLogger(Class<?> owner) {
        return getLogger(owner.getName(), Logger.class);
    }

    @Override
    public <L extends Logger> L getLogger(Class<?> owner, Class<L> type) {
        return getLogger(owner.getName(), type);
    }

    @Override
    public <L extends Logger> L getLogger(@Nullable Bundle bundle, String name, Class<L> type) {
        return getLogger(name, type);
    }

    /** Some forty methods that differ in level and number of arguments only: told apart by name. */
    @Override
    public <L extends Logger> L getLogger(String name, Class<L> type) {
        org.slf4j.Logger target = org.slf4j.LoggerFactory.getLogger(name);
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> invoke(target, method, arguments == null ? new Object[0] : arguments)));
    }

    private static @Nullable Object invoke(org.slf4j.Logger target, Method method, Object[] arguments) {
        String name = method.getName();
        if (name.startsWith("is")) {
            return target.isEnabledForLevel(level(name.substring(2, name.length() - "Enabled".length())));
        }
        return switch (name) {
            case "getName", "toString" -> target.getName();
            case "hashCode" -> target.hashCode();
            case "equals" -> false;
            default -> {
                if (arguments[0] instanceof String message) {
                    Object[] values = Stream.of(arguments)
                            .skip(1)
                            .flatMap(value -> value instanceof Object[] many ? Arrays.stream(many) : Stream.of(value))
                            .toArray();
                    target.atLevel(level(name)).log(message, values);
                }
                yield null;
            }
        };
    }

    private static Level level(String name) {
        return name.equals("audit") ? Level.INFO : Level.valueOf(name.toUpperCase(Locale.ROOT));
    }
}
