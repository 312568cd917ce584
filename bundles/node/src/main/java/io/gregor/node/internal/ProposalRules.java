package io.gregor.node.internal;

import io.gregor.internal.change.LiveConfig.Proposal;
import io.gregor.internal.change.LiveConfig.Scope;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.network.SocketServerConfigs;
import org.apache.kafka.server.config.DynamicBrokerConfig;
import org.apache.kafka.server.config.ServerTopicConfigSynonyms;

/**
 * What may be changed while the node runs at all, by key: Kafka's rules, in Kafka's words where its tools show them. Values
 * are another matter. Immutable.
 */
final class ProposalRules {
    /** Begins what a config provider replaces when the whole configuration is read. */
    private static final String VARIABLE = "${";

    private final Proposal proposal;
    private final Map<String, String> values = new TreeMap<>();
    private final Settings settings;
    private final NodeConfig config;

    private ProposalRules(Proposal proposal, Settings settings, NodeConfig config) {
        this.proposal = proposal;
        this.settings = settings;
        this.config = config;
        proposal.values().forEach((key, value) -> {
            if (value != null) {
                values.put(key, value);
            }
        });
    }

    /**
     * Checks the keys that get a value; to delete one is always allowed.
     *
     * @param settings with the proposed values
     * @param before the configuration that counts now
     * @param isOwned whether some part of the node applies a key while it runs
     * @throws ConfigException with the reason
     */
    static void check(Proposal proposal, Settings settings, NodeConfig before, Predicate<String> isOwned) {
        ProposalRules rules = new ProposalRules(proposal, settings, before);
        rules.owners(key -> isOwned.test(key) || KnownKeys.listener(key).isPresent());
        rules.types();
        rules.scope();
        rules.topics();
    }

    /**
     * Refuses keys of listeners that are not there when everything proposed counts, and those that nobody applies.
     *
     * @param after the configuration that is to count
     */
    static void checkListeners(Proposal proposal, Settings settings, NodeConfig after, Predicate<String> isOwned) {
        ProposalRules rules = new ProposalRules(proposal, settings, after);
        rules.presentListeners();
        rules.owners(key -> isOwned.test(key) || KnownKeys.listener(key).isEmpty());
    }

    private void presentListeners() {
        List<String> known = listenerPrefixes(config);
        values.forEach((key, value) -> {
            Optional<String> listener = KnownKeys.listener(key);
            if (listener.isPresent() && known.stream().noneMatch(key::startsWith)) {
                throw new ConfigException(settings.assignment(key, value)
                        + " names a listener that is not there: this node's listeners are " + String.join(" ", known)
                        + " (in lower case), add " + listener.get() + " to listeners first or in the same change");
            }
        });
    }

    /** How the keys of the listeners begin that this node has, or where it reaches controllers. */
    static List<String> listenerPrefixes(NodeConfig config) {
        Stream<ListenerName> own = Stream.of(Role.values())
                .flatMap(role -> config.listeners(role).stream())
                .map(Endpoint::listener)
                .map(ListenerName::normalised);
        return Stream.concat(own, config.controllerListeners().stream())
                .map(ListenerName::configPrefix)
                .distinct()
                .sorted()
                .toList();
    }

    private void owners(Predicate<String> isOwned) {
        Set<String> unowned = new TreeSet<>();
        values.keySet().stream()
                .filter(key -> KnownKeys.isKnown(key) && !isOwned.test(key) && !isOfOtherNodes(key))
                .forEach(unowned::add);
        Set<String> onlyOfListeners = new TreeSet<>(unowned);
        onlyOfListeners.retainAll(DynamicBrokerConfig.DYNAMIC_SECURITY_CONFIGS);
        unowned.removeAll(onlyOfListeners);
        refuse(unowned, "Cannot update these configs dynamically: ");
        refuse(
                onlyOfListeners,
                "These security configs can be dynamically updated only per-listener using the listener prefix: ");
    }

    /** A node with one role cannot tell what the other role's nodes apply; what Kafka calls dynamic may be theirs. */
    private boolean isOfOtherNodes(String key) {
        return proposal.scope() == Scope.CLUSTER
                && config.roles().size() < Role.values().length
                && DynamicBrokerConfig.ALL_DYNAMIC_CONFIGS.contains(KnownKeys.withoutListener(key));
    }

    private void types() {
        values.forEach((key, value) -> {
            String refused = ValueRefusal.expected(KnownKeys.withoutListener(key), value);
            if (refused != null && !value.contains(VARIABLE)) {
                throw settings.refusal(key, value, "must be " + refused);
            }
        });
    }

    private void scope() {
        if (proposal.scope() == Scope.CLUSTER) {
            Properties properties = new Properties();
            properties.putAll(values);
            Set<String> ofOneNode = new TreeSet<>(DynamicBrokerConfig.perBrokerConfigs(properties));
            if (values.containsKey(SocketServerConfigs.ADVERTISED_LISTENERS_CONFIG)) {
                ofOneNode.add(SocketServerConfigs.ADVERTISED_LISTENERS_CONFIG);
            }
            refuse(ofOneNode, "Cannot update these configs at default cluster level, broker id must be specified: ");
        }
    }

    private void topics() {
        for (String key : values.keySet()) {
            String ofNode = ServerTopicConfigSynonyms.TOPIC_CONFIG_SYNONYMS.get(key);
            if (ofNode != null && !KnownKeys.isKnown(key)) {
                throw settings.refusal(
                        key, "", "is a key of topics and has no effect here: the default of all topics is " + ofNode);
            }
        }
    }

    private static void refuse(Set<String> keys, String reason) {
        if (!keys.isEmpty()) {
            throw new ConfigException(reason + keys);
        }
    }
}
