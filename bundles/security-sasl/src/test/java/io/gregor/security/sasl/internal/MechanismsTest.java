package io.gregor.security.sasl.internal;

import static io.gregor.security.sasl.internal.TestListener.MODULES;
import static io.gregor.security.sasl.internal.TestListener.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.security.auth.callback.Callback;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.junit.jupiter.api.Test;

class MechanismsTest {
    @Test
    void hasAHandlerAndALoginForEachMechanism() {
        try (Mechanisms made = TestListener.mechanisms(settings(List.of("PLAIN", "SCRAM-SHA-256", "OAUTHBEARER")))) {
            assertThat(made.handlers()).containsOnlyKeys("PLAIN", "SCRAM-SHA-256", "OAUTHBEARER");
            assertThat(made.subjects()).containsOnlyKeys("PLAIN", "SCRAM-SHA-256", "OAUTHBEARER");
            assertThat(made.maxReauthenticationMs()).containsEntry("PLAIN", 0L);
        }
    }

    @Test
    void aMechanismsOwnSessionTimeGoesFirst() {
        Map<String, Object> settings = settings(
                List.of("PLAIN", "SCRAM-SHA-256"),
                "connections.max.reauth.ms",
                5_000L,
                "plain.connections.max.reauth.ms",
                1_000L);
        try (Mechanisms made = TestListener.mechanisms(settings)) {
            assertThat(made.maxReauthenticationMs())
                    .containsExactly(Map.entry("PLAIN", 1_000L), Map.entry("SCRAM-SHA-256", 5_000L));
        }
    }

    @Test
    void namesTheKeyThatIsMissing() {
        assertRefused(settings(List.of("PLAIN", "SCRAM-SHA-512")))
                .hasMessage("sasl.enabled.mechanisms=SCRAM-SHA-512 (listener=EXT): there is no JAAS configuration for"
                        + " SCRAM-SHA-512; set listener.name.ext.scram-sha-512.sasl.jaas.config, or take SCRAM-SHA-512"
                        + " out");
    }

    @Test
    void namesTheMechanismsThereAreForOneThatIsNot() {
        assertRefused(settings(List.of("PLAN")))
                .hasMessageContaining("sasl.enabled.mechanisms=PLAN (listener=EXT)")
                .hasMessageContaining("Kafka itself knows [PLAIN, SCRAM-SHA-256");
    }

    @Test
    void refusesAMechanismThatNobodyServes() {
        assertRefused(settings(
                        List.of("PLAIN", "PLAN"),
                        "plan.sasl.jaas.config",
                        new Password(MODULES + "plain.PlainLoginModule required;")))
                .hasMessageContaining("nobody serves PLAN")
                .hasMessageContaining("PLAIN");
    }

    @Test
    void refusesAListenerWithoutMechanisms() {
        assertRefused(settings(List.of())).hasMessageContaining("names no mechanism");
    }

    @Test
    void tellsAboutAJaasConfigurationWithoutShowingIt() {
        assertRefused(settings(
                        List.of("PLAIN"),
                        "plain.sasl.jaas.config",
                        new Password(MODULES + "plain.PlainLoginModule required user_a=\"hidden-one\" hidden-two")))
                .hasMessageContaining("listener.name.ext.plain.sasl.jaas.config=[hidden] is wrong")
                .hasMessageNotContaining("hidden-");
    }

    @Test
    void refusesACallbackHandlerThatIsNone() {
        assertRefused(settings(List.of("PLAIN"), "plain.sasl.server.callback.handler.class", String.class))
                .hasMessage(
                        "listener.name.ext.plain.sasl.server.callback.handler.class=java.lang.String must be a class"
                                + " that implements org.apache.kafka.common.security.auth.AuthenticateCallbackHandler");
    }

    @Test
    void closesWhatItHasMadeWhenAnotherPartIsWrong() {
        CountingHandler.CLOSED.set(0);
        assertRefused(settings(
                        List.of("PLAIN", "OAUTHBEARER"),
                        "plain.sasl.server.callback.handler.class",
                        CountingHandler.class,
                        "oauthbearer.sasl.server.callback.handler.class",
                        FailingHandler.class))
                .hasMessageContaining("listener EXT cannot serve OAUTHBEARER")
                .hasMessageContaining("listener.name.ext.oauthbearer.sasl.server.callback.handler.class="
                        + FailingHandler.class.getName() + ": no directory of users");
        assertThat(CountingHandler.CLOSED).hasValue(1);
    }

    @Test
    void takesABundlesCallbackHandlerAndClosesIt() {
        CountingHandler.CLOSED.set(0);
        TestListener.mechanisms(
                        settings(List.of("PLAIN"), "plain.sasl.server.callback.handler.class", CountingHandler.class))
                .close();
        assertThat(CountingHandler.CLOSED).hasValue(1);
    }

    @Test
    void refusesKerberosRulesThatAreNone() {
        assertRefused(settings(
                        List.of("GSSAPI"),
                        "gssapi.sasl.jaas.config",
                        new Password("com.sun.security.auth.module.Krb5LoginModule required;"),
                        "sasl.kerberos.principal.to.local.rules",
                        List.of("RULE:nothing")))
                .hasMessageContaining("sasl.kerberos.principal.to.local.rules=[RULE:nothing]");
    }

    private static org.assertj.core.api.AbstractThrowableAssert<?, ?> assertRefused(Map<String, Object> settings) {
        return assertThatThrownBy(() -> TestListener.mechanisms(settings).close())
                .isInstanceOf(ConfigException.class);
    }

    /** Of somebody's bundle. */
    public static class CountingHandler implements AuthenticateCallbackHandler {
        static final AtomicInteger CLOSED = new AtomicInteger();

        @Override
        public void configure(Map<String, ?> settings, String mechanism, List<AppConfigurationEntry> jaas) {}

        @Override
        public void handle(Callback[] callbacks) {}

        @Override
        public void close() {
            CLOSED.incrementAndGet();
        }
    }

    /** Finds no users. */
    public static final class FailingHandler extends CountingHandler {
        @Override
        public void configure(Map<String, ?> settings, String mechanism, List<AppConfigurationEntry> jaas) {
            throw new IllegalStateException("no directory of users");
        }

        @Override
        public void close() {}
    }
}
