package io.gregor.internal.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretValuesTest {
    private static final String KEY = "ssl.keystore.password";
    private static final String JAAS = "listener.name.external.plain.sasl.jaas.config";

    @Test
    void aSecretIsHiddenWhereverItStands() {
        assertThat(of(KEY, "s3cret+$1").hiddenIn("not s3cret+$1, xs3cret+$1y")).isEqualTo("not [hidden], x[hidden]y");
    }

    @Test
    void aTypedPasswordIsOneWhateverItsKey() {
        SecretValues secrets = SecretValues.of(Map.of("pin", new Password("s3cret-one")), key -> false);

        assertThat(secrets.hiddenIn("pin=s3cret-one")).isEqualTo("pin=[hidden]");
    }

    @Test
    void aShortSecretIsHiddenAsAWord() {
        assertThat(of(KEY, "kafka").hiddenIn("kafka: kafkaesque 'kafka'")).isEqualTo("[hidden]: kafkaesque '[hidden]'");
    }

    @Test
    void whatIsTooShortIsLeftSinceNothingCouldBeRead() {
        assertThat(of(KEY, "a").hiddenIn("a fault")).isEqualTo("a fault");
    }

    @Test
    void whereASecretStandsIsShown() {
        assertThat(of(KEY, "${file:/etc/keys:store}").hiddenIn("nothing in ${file:/etc/keys:store}"))
                .isEqualTo("nothing in ${file:/etc/keys:store}");
        assertThat(of(KEY, "${file:/etc/keys:store}rest").hiddenIn("${file:/etc/keys:store}rest"))
                .isEqualTo("[hidden]");
    }

    @Test
    void whatConfigProvidersFoundIsHidden() {
        SecretValues secrets =
                SecretValues.of(Map.of("log.dirs", "/found/elsewhere", "num.io.threads", "8"), key -> true);

        assertThat(secrets.hiddenIn("/found/elsewhere 8")).isEqualTo("[hidden] 8");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "M required username=\"admin\" password=\"marker-1234\";",
                "M required username=admin password=marker-1234;",
                "M required username=\"admin\" user_bob=\"marker-1234\"",
                "M required username=\"admin\" password=\"marker-1234 user_bob=bob-secret;",
                "M required username=\"admin\" clientSecret = \"marker-1234\" ;"
            })
    void passwordsOfJaasAreHiddenAndTheRestIsShown(String jaas) {
        String hidden = of(JAAS, jaas).hiddenIn("required by admin with marker-1234");

        assertThat(hidden).isEqualTo("required by admin with [hidden]");
    }

    @Test
    void anEscapedQuoteInJaasIsHiddenInBothSpellings() {
        SecretValues secrets = of(JAAS, "M required password=\"mark\\\"er\";");

        assertThat(secrets.hiddenIn("mark\\\"er or mark\"er")).isEqualTo("[hidden] or [hidden]");
    }

    @Test
    void theLinesOfAKeyAreHiddenAndItsBordersShown() {
        SecretValues secrets =
                of("ssl.keystore.key", "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqG\n-----END PRIVATE KEY-----\n");

        assertThat(secrets.hiddenIn("-----BEGIN PRIVATE KEY----- MIGHAgEAMBMGByqG"))
                .isEqualTo("-----BEGIN PRIVATE KEY----- [hidden]");
    }

    @Test
    void aFaultWithASecretIsRetoldWithItsCausesAndTraces() {
        Exception fault = new IllegalStateException("outer", new IllegalArgumentException("no marker-1234"));
        StringWriter text = new StringWriter();

        of(KEY, "marker-1234").hiddenIn(fault).printStackTrace(new PrintWriter(text));

        assertThat(text.toString())
                .contains(
                        "java.lang.IllegalStateException: outer",
                        "Caused by: java.lang.IllegalArgumentException: no [hidden]",
                        "at " + SecretValuesTest.class.getName())
                .doesNotContain("marker-1234");
    }

    @Test
    void aFaultWithoutASecretStaysItself() {
        Exception fault = new IllegalStateException("outer");

        assertThat(of(KEY, "marker-1234").hiddenIn(fault)).isSameAs(fault);
    }

    @Test
    void thoseOfTwoConfigurationsAreHidden() {
        SecretValues both = of(KEY, "marker-1234").and(of(KEY, "marker-5678"));

        assertThat(both.hiddenIn("marker-1234 marker-5678")).isEqualTo("[hidden] [hidden]");
        assertThat(SecretValues.NONE.and(SecretValues.NONE).hiddenIn("text")).isEqualTo("text");
    }

    private static SecretValues of(String key, String value) {
        return SecretValues.of(Map.of(key, value), any -> false);
    }
}
