package io.gregor.security.sasl.internal;

import io.gregor.api.security.ListenerSecurity;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.login.LoginException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.security.auth.Login;
import org.apache.kafka.common.security.authenticator.DefaultLogin;
import org.apache.kafka.common.security.authenticator.LoginManager;
import org.apache.kafka.common.security.authenticator.SaslServerCallbackHandler;
import org.apache.kafka.common.security.kerberos.KerberosLogin;
import org.apache.kafka.common.security.kerberos.KerberosShortNamer;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule;
import org.apache.kafka.common.security.oauthbearer.internals.OAuthBearerRefreshingLogin;
import org.apache.kafka.common.security.oauthbearer.internals.unsecured.OAuthBearerUnsecuredValidatorCallbackHandler;
import org.apache.kafka.common.security.plain.internals.PlainSaslServer;
import org.apache.kafka.common.security.plain.internals.PlainServerCallbackHandler;
import org.apache.kafka.common.security.scram.ScramCredential;
import org.apache.kafka.common.security.scram.internals.ScramMechanism;
import org.apache.kafka.common.security.scram.internals.ScramServerCallbackHandler;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.security.CredentialProvider;
import org.jspecify.annotations.Nullable;

/**
 * What Kafka's authenticators of a listener share: for each mechanism its callback handler, its login and how long a session
 * lasts. The same as Kafka's SaslChannelBuilder has, which hands neither the parts out nor tells which setting is wrong.
 * Immutable but for its end; {@link #close} from any thread, once.
 */
public final class Mechanisms implements AutoCloseable {
    private final SaslSettings settings;
    private final Map<String, AuthenticateCallbackHandler> handlers = new LinkedHashMap<>();
    private final Map<String, LoginManager> logins = new LinkedHashMap<>();
    private final Map<String, Subject> subjects = new LinkedHashMap<>();
    private final Map<String, Long> maxReauthenticationMs = new LinkedHashMap<>();
    private final @Nullable KerberosShortNamer kerberosNames;

    private Mechanisms(SaslSettings settings, CredentialProvider credentials) {
        this.settings = settings;
        Map<String, JaasContext> contexts = settings.contexts();
        boolean isReady = false;
        try {
            kerberosNames = contexts.containsKey(SaslConfigs.GSSAPI_MECHANISM) ? Kerberos.names(settings.all()) : null;
            contexts.forEach((mechanism, context) -> addHandler(mechanism, context, credentials));
            Class<? extends Login> login = login(contexts);
            contexts.forEach((mechanism, context) -> addLogin(mechanism, context, login));
            contexts.keySet().forEach(settings::checkOffered);
            isReady = true;
        } finally {
            if (!isReady) {
                close();
            }
        }
    }

    /**
     * Those that a listener's settings enable; logged in, as far as they do.
     *
     * @throws ConfigException if one cannot be as the settings have it
     */
    public static Mechanisms of(ListenerSecurity security, CredentialProvider credentials) {
        return new Mechanisms(new SaslSettings(security), credentials);
    }

    Map<String, AuthenticateCallbackHandler> handlers() {
        return Collections.unmodifiableMap(handlers);
    }

    Map<String, Subject> subjects() {
        return Collections.unmodifiableMap(subjects);
    }

    Map<String, Long> maxReauthenticationMs() {
        return Collections.unmodifiableMap(maxReauthenticationMs);
    }

    /** Null without GSSAPI. */
    @Nullable
    KerberosShortNamer kerberosNames() {
        return kerberosNames;
    }

    private void addHandler(String mechanism, JaasContext context, CredentialProvider credentials) {
        Class<?> named = settings.handlerClass(mechanism);
        String what = named == null ? "its callback handler" : settings.handlerKey(mechanism) + "=" + named.getName();
        try {
            AuthenticateCallbackHandler handler = named == null
                    ? kafkas(mechanism, credentials)
                    : (AuthenticateCallbackHandler) Utils.newInstance(named);
            handlers.put(mechanism, handler);
            handler.configure(settings.all(), mechanism, context.configurationEntries());
        } catch (RuntimeException | LinkageError e) {
            throw settings.cannot(mechanism, what, e);
        }
        Long limitMs = settings.maxReauthenticationMs(mechanism);
        if (limitMs != null) {
            maxReauthenticationMs.put(mechanism, limitMs);
        }
    }

    private static AuthenticateCallbackHandler kafkas(String mechanism, CredentialProvider credentials) {
        if (mechanism.equals(PlainSaslServer.PLAIN_MECHANISM)) {
            return new PlainServerCallbackHandler();
        }
        if (ScramMechanism.isScram(mechanism)) {
            return new ScramServerCallbackHandler(
                    credentials.credentialCache.cache(mechanism, ScramCredential.class), credentials.tokenCache);
        }
        return mechanism.equals(OAuthBearerLoginModule.OAUTHBEARER_MECHANISM)
                ? new OAuthBearerUnsecuredValidatorCallbackHandler()
                : new SaslServerCallbackHandler();
    }

    private void addLogin(String mechanism, JaasContext context, Class<? extends Login> kind) {
        try {
            LoginManager login = LoginManager.acquireLoginManager(context, mechanism, kind, settings.all());
            logins.put(mechanism, login);
            subjects.put(mechanism, login.subject());
            if (mechanism.equals(SaslConfigs.GSSAPI_MECHANISM)) {
                Kerberos.addNativeCredential(login.subject());
            }
        } catch (LoginException | RuntimeException | LinkageError e) {
            throw settings.cannot(mechanism, "its login", e);
        }
    }

    /** How to log in unless {@code sasl.login.class} says: with one JAAS context for all mechanisms it is the same for all. */
    private static Class<? extends Login> login(Map<String, JaasContext> contexts) {
        if (contexts.containsKey(SaslConfigs.GSSAPI_MECHANISM)) {
            return KerberosLogin.class;
        }
        return contexts.containsKey(OAuthBearerLoginModule.OAUTHBEARER_MECHANISM)
                ? OAuthBearerRefreshingLogin.class
                : DefaultLogin.class;
    }

    @Override
    public void close() {
        logins.values().forEach(LoginManager::release);
        handlers.values().forEach(handler -> Utils.closeQuietly(handler::close, "callback handler"));
    }
}
