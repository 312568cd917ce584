package io.gregor.shell.internal;

import io.gregor.internal.node.NodeConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.network.SocketServerConfigs;
import org.apache.kafka.server.config.AbstractKafkaConfig;

/**
 * The keys that say which listeners there are. Immutable.
 *
 * @param listeners {@code NAME://host:port} of each
 * @param advertised the same of {@code advertised.listeners}; empty if that is not set, which means as {@code listeners}
 * @param protocols by name of listener
 * @param controllers the names of the controllers' listeners, which are not advertised unless somebody says so
 */
record ListenerSettings(
        List<String> listeners,
        List<String> advertised,
        SortedMap<String, String> protocols,
        List<String> controllers) {
    private static final String SEPARATOR = "://";

    static ListenerSettings of(NodeConfig config) {
        AbstractKafkaConfig values = config.values();
        SortedMap<String, String> protocols = new TreeMap<>();
        values.effectiveListenerSecurityProtocolMap()
                .forEach((name, protocol) -> protocols.put(name.value(), protocol.name));
        List<String> advertised = values.getList(SocketServerConfigs.ADVERTISED_LISTENERS_CONFIG);
        return new ListenerSettings(
                values.getList(SocketServerConfigs.LISTENERS_CONFIG),
                advertised == null ? List.of() : advertised,
                protocols,
                values.controllerListenerNames());
    }

    boolean isAdvertisedAsBound() {
        return advertised.isEmpty();
    }

    boolean isController(String name) {
        return controllers.contains(name);
    }

    Optional<String> listener(String name) {
        return find(listeners, name);
    }

    Optional<String> advertised(String name) {
        return find(advertised, name);
    }

    String names() {
        return listeners.stream().map(ListenerSettings::name).collect(Collectors.joining(", "));
    }

    /** What is advertised, also if the key is not set: then all but the controllers' listeners, as they are bound. */
    List<String> effectiveAdvertised() {
        return isAdvertisedAsBound() ? brokerListeners() : advertised;
    }

    List<String> brokerListeners() {
        return listeners.stream().filter(entry -> !isController(name(entry))).toList();
    }

    private static Optional<String> find(List<String> entries, String name) {
        return entries.stream().filter(entry -> name(entry).equals(name)).findFirst();
    }

    static String entry(String name, Address address) {
        return name + SEPARATOR + address;
    }

    static String name(String entry) {
        int end = entry.indexOf(SEPARATOR);
        return end < 0 ? entry : entry.substring(0, end).strip().toUpperCase(Locale.ROOT);
    }

    /** The address part of an entry. */
    static String address(String entry) {
        int end = entry.indexOf(SEPARATOR);
        return end < 0 ? entry : entry.substring(end + SEPARATOR.length()).strip();
    }

    /** The entries with this one in the place of the one with its name, or behind them. */
    static List<String> with(List<String> entries, String entry) {
        List<String> result = new ArrayList<>(entries);
        boolean isNew = find(entries, name(entry)).isEmpty();
        if (isNew) {
            result.add(entry);
        } else {
            result.replaceAll(old -> name(old).equals(name(entry)) ? entry : old);
        }
        return result;
    }

    static List<String> without(List<String> entries, String name) {
        return entries.stream().filter(entry -> !name(entry).equals(name)).toList();
    }
}
