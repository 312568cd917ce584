package io.gregor.launcher;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;
import org.osgi.service.log.LogService;
import org.osgi.service.log.Logger;
import org.slf4j.event.Level;

/**
 * OSGi's log service on top of SLF4J: Declarative Services reports faults of components to it, ConfigAdmin those of its
 * listeners, and both to the console without one. Immutable.
 */
final class BundleLog implements LogService {
    /** For ConfigAdmin, which uses the older methods; they know no name. */
    private static final org.slf4j.Logger NAMELESS = org.slf4j.LoggerFactory.getLogger(LogService.class);

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

    /** Of a plugin's faults this is told at DEBUG: {@code plugins} says in one line what is wrong with it. */
    @Override
    public <L extends Logger> L getLogger(@Nullable Bundle bundle, String name, Class<L> type) {
        return logger(name, type, bundle != null && PluginLocation.isOf(bundle));
    }

    @Override
    public <L extends Logger> L getLogger(String name, Class<L> type) {
        return logger(name, type, false);
    }

    /** Some forty methods that differ in level and number of arguments only: told apart by name. */
    private static <L extends Logger> L logger(String name, Class<L> type, boolean isOfPlugin) {
        org.slf4j.Logger target = org.slf4j.LoggerFactory.getLogger(name);
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) ->
                        invoke(target, method, arguments == null ? new Object[0] : arguments, isOfPlugin)));
    }

    private static @Nullable Object invoke(
            org.slf4j.Logger target, Method method, Object[] arguments, boolean isOfPlugin) {
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
                    target.atLevel(isOfPlugin ? Level.DEBUG : level(name)).log(message, values);
                }
                yield null;
            }
        };
    }

    private static Level level(String name) {
        return name.equals("audit") ? Level.INFO : Level.valueOf(name.toUpperCase(Locale.ROOT));
    }

    @Override
    @Deprecated
    public void log(int level, String message) {
        log(level, message, null);
    }

    @Override
    @Deprecated
    public void log(@Nullable ServiceReference<?> about, int level, String message) {
        log(level, message, null);
    }

    @Override
    @Deprecated
    public void log(@Nullable ServiceReference<?> about, int level, String message, @Nullable Throwable fault) {
        log(level, message, fault);
    }

    @Override
    @Deprecated
    public void log(int level, String message, @Nullable Throwable fault) {
        Level target =
                switch (level) {
                    case LOG_ERROR -> Level.ERROR;
                    case LOG_WARNING -> Level.WARN;
                    case LOG_INFO -> Level.INFO;
                    default -> Level.DEBUG;
                };
        NAMELESS.atLevel(target).setCause(fault).log(message);
    }
}
