package io.gregor.security.sasl.internal;

import io.gregor.api.security.ListenerSecurity;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslServerFactory;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.internals.BrokerSecurityConfigs;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.jspecify.annotations.Nullable;

/**
 * The SASL settings of one listener, each named in full when it is wrong, and never with what it holds of secrets. Immutable.
 */
final class SaslSettings {
    private static final List<String> KAFKAS =
            List.of("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER", "GSSAPI");

    /** What Kafka quotes of a JAAS configuration may be of a password that lacks its own quotes. */
    private static final Pattern QUOTED = Pattern.compile("'[^']*'");

    private final ListenerSecurity security;

    SaslSettings(ListenerSecurity security) {
        this.security = security;
    }

    /** As Kafka's classes are told them. */
    Map<String, Object> all() {
        return security.settings();
    }

    /** The JAAS context of each enabled mechanism, in the order of {@code sasl.enabled.mechanisms}. */
    Map<String, JaasContext> contexts() {
        Object named = all().get(BrokerSecurityConfigs.SASL_ENABLED_MECHANISMS_CONFIG);
        List<?> mechanisms =
                named instanceof List<?> list ? list : BrokerSecurityConfigs.DEFAULT_SASL_ENABLED_MECHANISMS;
        if (mechanisms.isEmpty()) {
            throw wrong("", "names no mechanism", "name some of " + KAFKAS);
        }
        Map<String, JaasContext> contexts = new LinkedHashMap<>();
        mechanisms.forEach(mechanism -> contexts.put(mechanism.toString(), context(mechanism.toString())));
        return Collections.unmodifiableMap(contexts);
    }

    private JaasContext context(String mechanism) {
        String key = key(mechanism, SaslConfigs.SASL_JAAS_CONFIG);
        try {
            return JaasContext.loadServerContext(security.listener(), mechanism, all());
        } catch (IllegalArgumentException e) {
            String known = KAFKAS.contains(mechanism) ? "" : "; Kafka itself knows " + KAFKAS;
            if (own(mechanism, SaslConfigs.SASL_JAAS_CONFIG) != null) {
                throw new ConfigException(key + "=[hidden] is wrong: " + said(e)
                        + "; it is one entry, MODULE required NAME=\"VALUE\" ...;, with the semicolon");
            }
            throw wrong(
                    mechanism,
                    "there is no JAAS configuration for " + mechanism + known,
                    "set " + key + ", or take " + mechanism + " out");
        } catch (SecurityException e) {
            throw new ConfigException("the file of -Djava.security.auth.login.config cannot be read, and " + key
                    + " is not set: " + said(e));
        }
    }

    /** The class of the callback handler that is set for a mechanism; null for Kafka's own. */
    @Nullable
    Class<?> handlerClass(String mechanism) {
        Object named = own(mechanism, BrokerSecurityConfigs.SASL_SERVER_CALLBACK_HANDLER_CLASS_CONFIG);
        if (named == null) {
            return null;
        }
        if (named instanceof Class<?> type && AuthenticateCallbackHandler.class.isAssignableFrom(type)) {
            return type;
        }
        throw new ConfigException(handlerKey(mechanism) + "="
                + (named instanceof Class<?> type ? type.getName() : named) + " must be a class that implements "
                + AuthenticateCallbackHandler.class.getName());
    }

    /** The key of a mechanism's callback handler. */
    String handlerKey(String mechanism) {
        return key(mechanism, BrokerSecurityConfigs.SASL_SERVER_CALLBACK_HANDLER_CLASS_CONFIG);
    }

    /** {@code connections.max.reauth.ms} of a mechanism, of the listener or of the node; null if there is none. */
    @Nullable
    Long maxReauthenticationMs(String mechanism) {
        Object own = own(mechanism, BrokerSecurityConfigs.CONNECTIONS_MAX_REAUTH_MS_CONFIG);
        Object found = own == null ? all().get(BrokerSecurityConfigs.CONNECTIONS_MAX_REAUTH_MS_CONFIG) : own;
        return found instanceof Long limitMs ? limitMs : null;
    }

    /** Checks that somebody serves a mechanism, now that its login module is loaded. */
    void checkOffered(String mechanism) {
        TreeSet<String> offered = new TreeSet<>();
        for (SaslServerFactory factory : Collections.list(Sasl.getSaslServerFactories())) {
            Collections.addAll(offered, factory.getMechanismNames(all()));
        }
        if (!offered.contains(mechanism)) {
            throw wrong(
                    mechanism,
                    "nobody serves " + mechanism,
                    "name some of " + offered + ", or have the login module of "
                            + key(mechanism, SaslConfigs.SASL_JAAS_CONFIG) + " register a provider for it");
        }
    }

    /** A mechanism could not be made ready. */
    ConfigException cannot(String mechanism, String what, Throwable why) {
        return new ConfigException("listener " + security.listener().value() + " cannot serve " + mechanism + ": "
                + what + ": " + said(why) + "; see " + security.listener().saslMechanismConfigPrefix(mechanism) + "*");
    }

    private ConfigException wrong(String mechanism, String what, String right) {
        return new ConfigException(BrokerSecurityConfigs.SASL_ENABLED_MECHANISMS_CONFIG + "=" + mechanism
                + " (listener=" + security.listener().value() + "): " + what + "; " + right);
    }

    private @Nullable Object own(String mechanism, String setting) {
        return all().get(ListenerName.saslMechanismPrefix(mechanism) + setting);
    }

    private String key(String mechanism, String setting) {
        return security.listener().saslMechanismConfigPrefix(mechanism) + setting;
    }

    private static String said(Throwable fault) {
        Throwable deepest = fault;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        String message = deepest.getMessage();
        return message == null
                ? deepest.getClass().getSimpleName()
                : QUOTED.matcher(message).replaceAll("'...'").strip();
    }
}
