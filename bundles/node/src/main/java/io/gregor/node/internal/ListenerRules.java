package io.gregor.node.internal;

import io.gregor.internal.node.Role;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.internals.BrokerSecurityConfigs;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.network.SocketServerConfigs;
import org.apache.kafka.raft.KRaftConfigs;
import org.apache.kafka.server.config.ReplicationConfigs;
import org.apache.kafka.server.config.ServerConfigs;
import org.jspecify.annotations.Nullable;

/** Kafka's rules for listeners: which role has which, what is advertised, who uses which. Immutable. */
final class ListenerRules {
    private final Settings settings;
    private final NodeKafkaConfig config;
    private final NodeListeners listeners;

    private ListenerRules(Settings settings, NodeKafkaConfig config, NodeListeners listeners) {
        this.settings = settings;
        this.config = config;
        this.listeners = listeners;
    }

    static void check(Settings settings, NodeKafkaConfig config, NodeListeners listeners) {
        ListenerRules rules = new ListenerRules(settings, config, listeners);
        boolean isBroker = config.roles().contains(Role.BROKER);
        ListenerName interBroker = rules.interBroker();
        if (config.roles().contains(Role.CONTROLLER)) {
            rules.controller();
            if (!isBroker) {
                rules.controllerOnly();
            }
        } else {
            rules.brokerOnly();
        }
        if (isBroker) {
            rules.broker(interBroker);
        }
        rules.advertised();
        rules.earlyStart();
    }

    private ListenerName interBroker() {
        try {
            return config.interBrokerListenerName();
        } catch (KafkaException wrong) {
            throw refusal(
                    ReplicationConfigs.INTER_BROKER_LISTENER_NAME_CONFIG,
                    config.getString(ReplicationConfigs.INTER_BROKER_LISTENER_NAME_CONFIG),
                    "cannot be used: " + wrong.getMessage());
        }
    }

    private void controller() {
        if (listeners.advertisedController().isEmpty()) {
            throw QuorumRules.noControllerListener(settings, config);
        }
        Set<String> names = NodeListeners.names(listeners.all());
        for (String name : config.controllerListenerNames()) {
            if (!names.contains(name)) {
                throw refusal(
                        KRaftConfigs.CONTROLLER_LISTENER_NAMES_CONFIG,
                        config.controllerListenerNames(),
                        "must only have names (in capitals) of listeners in listeners, since process.roles has"
                                + " controller, and " + name + " is none of " + new TreeSet<>(names));
            }
        }
    }

    private void controllerOnly() {
        if (listeners.controller().size() != listeners.all().size()) {
            throw refusal(
                    SocketServerConfigs.LISTENERS_CONFIG,
                    config.getList(SocketServerConfigs.LISTENERS_CONFIG),
                    "must only have listeners of controller.listener.names=" + config.controllerListenerNames()
                            + ", since process.roles=controller");
        }
        String interBroker = config.getString(ReplicationConfigs.INTER_BROKER_LISTENER_NAME_CONFIG);
        if (interBroker != null && config.controllerListenerNames().contains(interBroker)) {
            throw refusal(
                    ReplicationConfigs.INTER_BROKER_LISTENER_NAME_CONFIG,
                    interBroker,
                    "must not be one of controller.listener.names, since process.roles=controller");
        }
    }

    private void brokerOnly() {
        if (config.controllerListenerNames().isEmpty()) {
            throw refusal(
                    KRaftConfigs.CONTROLLER_LISTENER_NAMES_CONFIG,
                    "",
                    "must have the name of the controllers' listener, which is how this broker reaches them");
        }
        if (!listeners.controller().isEmpty()) {
            throw refusal(
                    KRaftConfigs.CONTROLLER_LISTENER_NAMES_CONFIG,
                    config.controllerListenerNames(),
                    "must not have a name of a listener in listeners, since process.roles=broker");
        }
        for (String name : config.controllerListenerNames()) {
            if (!config.effectiveListenerSecurityProtocolMap().containsKey(ListenerName.normalised(name))) {
                throw refusal(
                        SocketServerConfigs.LISTENER_SECURITY_PROTOCOL_MAP_CONFIG,
                        config.getString(SocketServerConfigs.LISTENER_SECURITY_PROTOCOL_MAP_CONFIG),
                        "must say the protocol of the controllers' listener, for example " + name + ":PLAINTEXT");
            }
        }
    }

    private void broker(ListenerName interBroker) {
        Set<String> advertised = NodeListeners.names(listeners.advertisedBroker());
        Set<String> own = NodeListeners.names(listeners.all());
        if (advertised.isEmpty()) {
            throw refusal(
                    SocketServerConfigs.LISTENERS_CONFIG,
                    config.getList(SocketServerConfigs.LISTENERS_CONFIG),
                    "must have at least one listener that brokers and clients use, beside controller.listener.names="
                            + config.controllerListenerNames());
        }
        if (!advertised.contains(interBroker.value())) {
            throw refusal(
                    ReplicationConfigs.INTER_BROKER_LISTENER_NAME_CONFIG,
                    interBroker.value(),
                    "must be one of the advertised listeners " + new TreeSet<>(advertised));
        }
        Set<String> unbound = new HashSet<>(advertised);
        unbound.removeAll(own);
        if (!unbound.isEmpty()) {
            throw refusal(
                    SocketServerConfigs.ADVERTISED_LISTENERS_CONFIG,
                    config.getList(SocketServerConfigs.ADVERTISED_LISTENERS_CONFIG),
                    "must only have listeners that are in listeners too, and " + unbound + " are none of "
                            + new TreeSet<>(own));
        }
        saslOfInterBroker(interBroker);
    }

    private void saslOfInterBroker(ListenerName interBroker) {
        SecurityProtocol protocol = config.interBrokerSecurityProtocol();
        if (protocol != SecurityProtocol.SASL_PLAINTEXT && protocol != SecurityProtocol.SASL_SSL) {
            return;
        }
        Object enabled = config.valuesWithPrefixOverride(interBroker.configPrefix())
                .get(BrokerSecurityConfigs.SASL_ENABLED_MECHANISMS_CONFIG);
        String mechanism = config.getString(BrokerSecurityConfigs.SASL_MECHANISM_INTER_BROKER_PROTOCOL_CONFIG);
        if (enabled instanceof List<?> mechanisms && !mechanisms.contains(mechanism)) {
            throw refusal(
                    BrokerSecurityConfigs.SASL_MECHANISM_INTER_BROKER_PROTOCOL_CONFIG,
                    mechanism,
                    "must be one of sasl.enabled.mechanisms=" + mechanisms
                            + ", since brokers use SASL with each other");
        }
    }

    private void advertised() {
        refuseAnyAddress(listeners.advertisedBroker());
        refuseAnyAddress(listeners.advertisedController());
    }

    private void refuseAnyAddress(List<Endpoint> endpoints) {
        for (Endpoint endpoint : endpoints) {
            if ("0.0.0.0".equals(endpoint.host())) {
                boolean isSet = config.getList(SocketServerConfigs.ADVERTISED_LISTENERS_CONFIG) != null;
                String key =
                        isSet ? SocketServerConfigs.ADVERTISED_LISTENERS_CONFIG : SocketServerConfigs.LISTENERS_CONFIG;
                throw refusal(
                        key,
                        config.getList(key),
                        isSet
                                ? "must name an address that others can reach, not 0.0.0.0"
                                : "listens on 0.0.0.0, which nobody can be told: set advertised.listeners, for example "
                                        + endpoint.listener() + "://<host>:" + endpoint.port());
            }
        }
    }

    private void earlyStart() {
        List<String> early = config.getList(ServerConfigs.EARLY_START_LISTENERS_CONFIG);
        if (early == null) {
            return;
        }
        Set<String> known = NodeListeners.names(listeners.all());
        known.addAll(config.controllerListenerNames());
        for (String name : early) {
            if (!known.contains(name)) {
                throw refusal(
                        ServerConfigs.EARLY_START_LISTENERS_CONFIG,
                        early,
                        "must only have listeners of listeners or controller.listener.names, and " + name
                                + " is none of " + new TreeSet<>(known));
            }
        }
    }

    private StartRefused refusal(String key, @Nullable Object effective, String claim) {
        return settings.refusal(key, effective, claim);
    }
}
