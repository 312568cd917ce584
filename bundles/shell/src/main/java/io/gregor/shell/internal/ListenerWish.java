package io.gregor.shell.internal;

import io.gregor.internal.change.LiveConfig.Scope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.network.SocketServerConfigs;
import org.apache.kafka.raft.KRaftConfigs;

/**
 * What an operator wants of one listener, turned into {@code listeners}, {@code advertised.listeners}, {@code
 * listener.security.protocol.map} and the listener's own keys, from the values that count. Owned by the thread that runs the
 * command.
 */
public final class ListenerWish {
    private static final Pattern NAME = Pattern.compile("[A-Z0-9_-]+");
    private static final String PROTOCOLS = SocketServerConfigs.LISTENER_SECURITY_PROTOCOL_MAP_CONFIG;
    private static final String CONTROLLERS = KRaftConfigs.CONTROLLER_LISTENER_NAMES_CONFIG;
    private static final List<String> OWN_WORDS = List.of("address", "advertised", "protocol");

    private final Standing standing;
    private ListenerSettings now;
    private final String name;
    private final Wish wish;

    /**
     * Wants nothing yet.
     *
     * @throws IllegalArgumentException if no listener can have this name
     */
    public ListenerWish(Standing standing, String name) {
        this.standing = standing;
        this.now = ListenerSettings.of(standing.now());
        this.name = name.toUpperCase(Locale.ROOT);
        this.wish = new Wish(standing, Scope.NODE);
        if (!NAME.matcher(this.name).matches()) {
            throw new IllegalArgumentException(
                    "listener=" + name + " must be a name of letters, digits, _ and -, for example EXTERNAL");
        }
    }

    /** The listener's name, as Kafka spells it. */
    public String name() {
        return name;
    }

    /**
     * A new listener.
     *
     * @param address where it is bound
     * @param protocol may be missing if the name has one already
     * @param advertised what clients are told, if it is not {@code address}
     * @param settings its own keys
     */
    public Wish add(
            String address, Optional<String> protocol, Optional<String> advertised, Map<String, String> settings) {
        now.listener(name).ifPresent(there -> {
            throw new IllegalArgumentException(
                    "listener=" + name + " is there already: " + there + ", listener:set " + name + " changes it");
        });
        if (protocol.isEmpty() && !now.protocols().containsKey(name)) {
            throw new IllegalArgumentException("listener=" + name
                    + " has no security protocol: give --protocol, one of " + SecurityProtocol.names());
        }
        Address bound = Address.of("address", address);
        wantListeners(ListenerSettings.with(now.listeners(), ListenerSettings.entry(name, bound)));
        wantAdvertised(advertised.map(typed -> Address.of("advertised", typed)), bound);
        wantProtocol(protocol.map(ListenerWish::checkedProtocol)
                .orElseGet(() -> now.protocols().getOrDefault(name, "")));
        settings.forEach((key, value) -> wish.want(ownKey(key), value));
        return wish;
    }

    /** The same for controllers: its name stands among theirs, and clients are told of it only if somebody says so. */
    public Wish addForControllers(
            String address, Optional<String> protocol, Optional<String> advertised, Map<String, String> settings) {
        if (!now.isController(name)) {
            List<String> controllers = new ArrayList<>(now.controllers());
            controllers.add(name);
            wish.want(CONTROLLERS, String.join(",", controllers));
            now = new ListenerSettings(now.listeners(), now.advertised(), now.protocols(), controllers);
        }
        return add(address, protocol, advertised, settings);
    }

    /** The listener is gone, with all dynamic values of its own. */
    public Wish remove() {
        requireListener();
        List<String> controllers = ListenerSettings.without(now.controllers(), name);
        if (now.isController(name) && !controllers.isEmpty()) {
            wish.want(CONTROLLERS, String.join(",", controllers));
        }
        wantListeners(ListenerSettings.without(now.listeners(), name));
        wantAdvertisedEntries(
                now.isAdvertisedAsBound() ? List.of() : ListenerSettings.without(now.advertised(), name),
                ListenerSettings.without(now.brokerListeners(), name));
        SortedMap<String, String> protocols = new TreeMap<>(now.protocols());
        if (!ListenerSettings.of(standing.fixed()).protocols().containsKey(name)) {
            protocols.remove(name);
        }
        wantProtocols(protocols, false);
        standing.ofNode().keySet().stream()
                .filter(key -> key.startsWith(prefix()))
                .forEach(wish::delete);
        return wish;
    }

    /**
     * The listener with other settings.
     *
     * @param pairs {@code address}, {@code advertised}, {@code protocol}, or its own keys
     */
    public Wish change(Map<String, String> pairs) {
        String there = ListenerSettings.address(requireListener());
        Optional<Address> address =
                Optional.ofNullable(pairs.get("address")).map(typed -> Address.of("address", typed));
        Optional<Address> advertised =
                Optional.ofNullable(pairs.get("advertised")).map(typed -> Address.of("advertised", typed));
        Address bound = address.orElseGet(() -> Address.of("address", there));
        if (address.isPresent()) {
            wantListeners(ListenerSettings.with(now.listeners(), ListenerSettings.entry(name, bound)));
        }
        if (advertised.isPresent()) {
            wantAdvertised(advertised, bound);
        } else if (address.isPresent()) {
            followAddress(there, bound);
        }
        Optional.ofNullable(pairs.get("protocol"))
                .map(ListenerWish::checkedProtocol)
                .ifPresent(this::wantProtocol);
        Map<String, String> settings = new LinkedHashMap<>(pairs);
        OWN_WORDS.forEach(settings::remove);
        settings.forEach((key, value) -> wish.want(ownKey(key), value));
        return wish;
    }

    /** The listener with this number of processors of its own. */
    public Wish processors(String number) {
        requireListener();
        return wish.want(ownKey(SocketServerConfigs.NUM_NETWORK_THREADS_CONFIG), number);
    }

    /** What is told moves along where it is what is bound; else it stays. */
    private void followAddress(String there, Address bound) {
        boolean isTold = now.advertised(name)
                .map(ListenerSettings::address)
                .filter(there::equals)
                .isPresent();
        if (isTold) {
            wantAdvertised(Optional.of(bound), bound);
        } else if (now.isAdvertisedAsBound()) {
            wantAdvertised(Optional.empty(), bound);
        }
    }

    private String requireListener() {
        return now.listener(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "listener=" + name + " is not there, there are " + now.names() + ": listener:list shows them"));
    }

    private void wantListeners(List<String> entries) {
        wish.want(SocketServerConfigs.LISTENERS_CONFIG, String.join(",", entries));
    }

    /** Writes all of them out if one is not told as it is bound; a controller's listener is told only if somebody says so. */
    private void wantAdvertised(Optional<Address> told, Address bound) {
        boolean isQuiet = told.isEmpty() && now.isController(name);
        if (!isQuiet && told.orElse(bound).isWildcard()) {
            throw new IllegalArgumentException("listener=" + name + " cannot be advertised as " + told.orElse(bound)
                    + ": give an address that clients can reach, for example advertised=host.example.com:"
                    + bound.port() + " with listener:set, --advertised with listener:add");
        }
        List<String> brokers = now.isController(name)
                ? now.brokerListeners()
                : ListenerSettings.with(now.brokerListeners(), ListenerSettings.entry(name, bound));
        List<String> entries = now.effectiveAdvertised();
        if (!isQuiet) {
            entries = ListenerSettings.with(entries, ListenerSettings.entry(name, told.orElse(bound)));
        }
        wantAdvertisedEntries(entries, brokers);
    }

    private void wantAdvertisedEntries(List<String> entries, List<String> brokers) {
        String key = SocketServerConfigs.ADVERTISED_LISTENERS_CONFIG;
        String text = String.join(",", entries);
        boolean isDefault = entries.isEmpty() || Wish.isSame(text, String.join(",", brokers));
        if (isDefault && ListenerSettings.of(standing.fixed()).isAdvertisedAsBound()) {
            wish.delete(key);
        } else {
            wish.want(key, text);
        }
    }

    private static String checkedProtocol(String typed) {
        String protocol = typed.toUpperCase(Locale.ROOT);
        if (!SecurityProtocol.names().contains(protocol)) {
            throw new IllegalArgumentException("protocol=" + typed + " must be one of " + SecurityProtocol.names());
        }
        return protocol;
    }

    /**
     * A map that is not set covers the controllers' listeners only while no listener needs more than PLAINTEXT; then it is
     * written out.
     */
    private void wantProtocol(String protocol) {
        SortedMap<String, String> protocols = new TreeMap<>(now.protocols());
        protocols.put(name, protocol);
        boolean isSet = standing.now().values().originals().containsKey(PROTOCOLS);
        wantProtocols(protocols, !isSet && !protocol.equals(SecurityProtocol.PLAINTEXT.name));
    }

    private void wantProtocols(SortedMap<String, String> protocols, boolean isWrittenOut) {
        if (isWrittenOut) {
            wish.set(PROTOCOLS, text(protocols));
        } else if (protocols.equals(ListenerSettings.of(standing.fixed()).protocols())) {
            wish.delete(PROTOCOLS);
        } else if (!protocols.equals(now.protocols())) {
            wish.set(PROTOCOLS, text(protocols));
        }
    }

    private static String text(SortedMap<String, String> protocols) {
        List<String> entries = new ArrayList<>();
        protocols.forEach((listener, protocol) -> entries.add(listener + ":" + protocol));
        return entries.stream().collect(Collectors.joining(","));
    }

    private String ownKey(String key) {
        if (key.startsWith(prefix())) {
            return key;
        }
        if (key.startsWith("listener.name.")) {
            throw new IllegalArgumentException(
                    "key=" + key + " is another listener's, this one's begin with " + prefix());
        }
        return prefix() + key;
    }

    private String prefix() {
        return new ListenerName(name).configPrefix();
    }
}
