package io.gregor.plugins.internal;

import io.gregor.internal.plugin.Plugins.Plugin;
import io.gregor.internal.plugin.Plugins.State;
import java.lang.reflect.Array;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;

/** Shared: any thread; what is shown is replaced by the deployer thread. The plugins as others see them. */
final class ShownPlugins {
    private static final String STOPPED = "its bundle was stopped by hand; start it, or drop its jar again";

    private final RoleStandings standings;
    private volatile List<Row> rows = List.of();

    ShownPlugins(RoleStandings standings) {
        this.standings = standings;
    }

    /** The state of all of them has, or may have, changed. Deployer thread. */
    void replace(List<PluginBundle> all) {
        rows = all.stream().map(Row::of).toList();
    }

    /** All of them, by name, what serves first. */
    List<Plugin> list() {
        return rows.stream()
                .sorted(Comparator.comparing(Row::name).thenComparing(Row::state))
                .map(this::plugin)
                .toList();
    }

    private Plugin plugin(Row row) {
        Bundle bundle = row.bundle();
        boolean isStopped = row.state() == State.LIVE && bundle != null && bundle.getState() != Bundle.ACTIVE;
        return new Plugin(
                row.name(),
                row.version(),
                isStopped ? State.WAITING : row.state(),
                row.file(),
                row.sinceMs(),
                isStopped ? STOPPED : row.reason(),
                bundle == null ? List.of() : services(bundle),
                row.trial(),
                bundle == null ? List.of() : standings.accounts(bundle.getBundleId()));
    }

    private static List<String> services(Bundle bundle) {
        ServiceReference<?>[] references =
                bundle.getState() == Bundle.UNINSTALLED ? null : bundle.getRegisteredServices();
        List<String> lines = new ArrayList<>();
        if (references != null) {
            Arrays.stream(references).map(ShownPlugins::line).sorted().forEach(lines::add);
        }
        return lines;
    }

    /** The interfaces, and the properties that are of the service itself. */
    private static String line(ServiceReference<?> reference) {
        Object interfaces = reference.getProperty(Constants.OBJECTCLASS);
        StringBuilder line = new StringBuilder();
        if (interfaces instanceof String[] names) {
            for (String name : names) {
                line.append(line.length() == 0 ? "" : ",").append(name.substring(name.lastIndexOf('.') + 1));
            }
        }
        properties(reference)
                .forEach(
                        (key, value) -> line.append(' ').append(key).append('=').append(text(value)));
        return line.toString();
    }

    private static Map<String, Object> properties(ServiceReference<?> reference) {
        TreeMap<String, Object> properties = new TreeMap<>();
        for (String key : reference.getPropertyKeys()) {
            boolean isOfFramework = key.equals(Constants.OBJECTCLASS)
                    || (key.startsWith("service.") && !key.equals(Constants.SERVICE_RANKING))
                    || key.startsWith("component.")
                    || key.startsWith("osgi.ds.");
            if (!isOfFramework) {
                properties.put(key, reference.getProperty(key));
            }
        }
        return properties;
    }

    private static String text(@Nullable Object value) {
        if (value != null && value.getClass().isArray()) {
            List<String> parts = new ArrayList<>();
            for (int i = 0; i < Array.getLength(value); i++) {
                parts.add(String.valueOf(Array.get(value, i)));
            }
            return String.join(",", parts);
        }
        return String.valueOf(value);
    }

    /** What was true when the deployer thread looked last. Immutable. */
    private record Row(
            String name,
            String version,
            State state,
            Path file,
            long sinceMs,
            String reason,
            List<String> trial,
            @Nullable Bundle bundle) {
        static Row of(PluginBundle plugin) {
            return new Row(
                    plugin.name(),
                    plugin.version(),
                    plugin.state(),
                    plugin.file(),
                    plugin.sinceMs(),
                    plugin.reason(),
                    plugin.trial(),
                    plugin.bundle());
        }
    }
}
