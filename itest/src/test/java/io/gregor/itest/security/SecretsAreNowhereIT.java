package io.gregor.itest.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.NodeJmx;
import io.gregor.itest.RawClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.requests.AlterConfigsRequest;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.security.token.delegation.DelegationToken;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Passwords, keys and tokens are used, changed, mistyped and refused by every door, with all loggers that tell of it at DEBUG or
 * more; none is found wherever something can be read. The metadata log has them, as Kafka's.
 */
class SecretsAreNowhereIT {
    private static final String MARK = MarkedNode.MARK;
    private static final String PLAIN = MarkedNode.PLAIN;
    private static final String SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule required ";
    private static final String BEARER =
            "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required ";
    private static final String JAAS = "listener.name.sasl_plaintext.plain.sasl.jaas.config=";
    private static final String BAD_KEY =
            "-----BEGIN PRIVATE KEY-----\n" + MARK + "+no+key+at+all\n-----END PRIVATE KEY-----";
    private static final ConfigResource ALL_NODES = new ConfigResource(ConfigResource.Type.BROKER, "");
    private static final ConfigResource NODE = new ConfigResource(ConfigResource.Type.BROKER, "1");

    /** What a change or a start is refused with, each in another way. */
    private static final List<String> BAD = List.of(
            JAAS + PLAIN + "user_alice=\"" + MARK + "-no-semicolon\"",
            JAAS + PLAIN + "user_alice=\"" + MARK + "-no-quote user_bob=" + MARK + "-bob;",
            JAAS + PLAIN + "user_alice " + MARK + "-no-equals;",
            JAAS + PLAIN.replace("required", MARK) + "user_alice=x;",
            JAAS + "NoSuchModule required password=" + MARK + "-class;",
            JAAS + plain("two") + plain("entries"),
            "listener.name.ssl.ssl.keystore.password=" + MARK + "-wrong",
            "listener.name.ssl.ssl.key.password=" + MARK + "-wrong",
            "listener.name.ssl.ssl.truststore.password=" + MARK + "-wrong",
            "listener.name.sasl_ssl.ssl.keystore.key=" + BAD_KEY,
            "listener.name.sasl_ssl.ssl.keystore.key=" + MARK,
            "listener.name.sasl_ssl.ssl.keystore.certificate.chain=" + MARK,
            "listener.name.sasl_ssl.ssl.truststore.certificates=" + MARK);

    @TempDir
    private static Path directory;

    private static MarkedNode node;
    private static String secretsOfStarts = "";

    @BeforeAll
    static void useAndMistypeThemAll() throws Exception {
        node = MarkedNode.start(directory.resolve("node"));
        try (Admin admin = node.admin()) {
            for (String level : List.of(
                    "kafka.request.logger TRACE",
                    "kafka.authorizer.logger TRACE",
                    "gregor.audit TRACE",
                    "io.gregor DEBUG",
                    "org.apache.kafka.common DEBUG",
                    "org.apache.kafka.controller DEBUG")) {
                node.shell("log:level " + level);
            }
            logIn(admin);
            changeByAdmin(admin);
            changeByShell();
            changeAsOldClientsDo();
        }
        secretsOfStarts = refusedStarts();
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static String plain(String password) {
        return MarkedNode.plain(MARK + '-' + password);
    }

    private static void logIn(Admin admin) throws Exception {
        var bob = new UserScramCredentialUpsertion(
                "bob", new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096), MARK + "-bob");
        assertThat(node.isDone(admin.alterUserScramCredentials(List.of(bob)).all()))
                .isTrue();
        assertThat(canLogIn("PLAIN", PLAIN + login("alice", "alice"))).isTrue();
        assertThat(canLogIn(SecurityProtocol.SASL_SSL, "PLAIN", PLAIN + login("alice", "found")))
                .isTrue();
        assertThat(canLogIn("SCRAM-SHA-256", SCRAM + login("alice", "format"))).isTrue();
        assertThat(canLogIn("SCRAM-SHA-256", SCRAM + login("bob", "bob"))).isTrue();
        assertThat(canLogIn("PLAIN", PLAIN + login("alice", "guessed"))).isFalse();
        assertThat(canLogIn("SCRAM-SHA-256", SCRAM + login("bob", "guessed"))).isFalse();
        assertThat(canLogIn("OAUTHBEARER", BEARER + "unsecuredLoginStringClaim_sub=\"" + MARK + "\";"))
                .isFalse();
        try (Admin alice = Admin.create(
                node.clients(SecurityProtocol.SASL_PLAINTEXT, "SCRAM-SHA-256", SCRAM + login("alice", "format")))) {
            DelegationToken token =
                    alice.createDelegationToken().delegationToken().get();
            node.secret(token.hmacAsBase64String());
            assertThat(node.isDone(alice.describeDelegationToken().delegationTokens()))
                    .isTrue();
            await().until(() ->
                    node.isDone(alice.renewDelegationToken(token.hmac()).expiryTimestamp()));
        }
    }

    private static String login(String user, String password) {
        return "username=\"" + user + "\" password=\"" + MARK + '-' + password + "\";";
    }

    private static boolean canLogIn(String mechanism, String login) throws Exception {
        return canLogIn(SecurityProtocol.SASL_PLAINTEXT, mechanism, login);
    }

    private static boolean canLogIn(SecurityProtocol protocol, String mechanism, String login) throws Exception {
        try (Admin client = Admin.create(node.clients(protocol, mechanism, login))) {
            return node.isDone(client.describeCluster().clusterId());
        }
    }

    private static void changeByAdmin(Admin admin) throws Exception {
        TestKey other = node.key(TestCertificates.server(8));
        assertThat(node.isSet(admin, JAAS + plain("second"))).isTrue();
        assertThat(node.isSet(
                        admin,
                        "listener.name.sasl_ssl.ssl.keystore.key=" + other.keyPem(),
                        "listener.name.sasl_ssl.ssl.keystore.certificate.chain=" + other.chainPem()))
                .isTrue();
        assertThat(node.isSet(admin, "acme.token=" + MARK + "-acme")).isTrue();
        for (String bad : BAD) {
            assertThat(node.isSet(admin, bad)).as(bad).isFalse();
        }
        assertThat(node.isSet(admin, "delegation.token.secret.key=" + MARK)).isFalse();
        assertThat(node.isSet(admin, ALL_NODES, "listener.name.ssl.ssl.keystore.password=" + MARK))
                .isFalse();
        assertThat(node.isSet(admin, "listener.name.nosuch.ssl.keystore.password=" + MARK))
                .isFalse();
    }

    private static void changeByShell() {
        for (String bad : BAD) {
            assertThat(node.shell("config:set '" + bad + "'")).as(bad).contains("refused");
        }
        node.shell("listener:set SSL ssl.keystore.password=" + MARK + "-wrong");
        node.shell("listener:set SASL_PLAINTEXT 'plain.sasl.jaas.config=" + PLAIN + "user_alice=\"" + MARK + "\"'");
        node.shell("config:set --cluster ssl.keystore.password=" + MARK);
        assertThat(node.shell("config:set '" + JAAS + plain("third") + "'")).contains("applied");
        node.shell("change:undo");
        node.shell("config:set acme.password=" + MARK + "-shell");
        node.shell("config:unset acme.password");
    }

    private static void changeAsOldClientsDo() throws IOException {
        try (RawClient client = RawClient.connect(node.port(SecurityProtocol.PLAINTEXT))) {
            int id = 1;
            for (String value : List.of(PLAIN + "user_alice=\"" + MARK + "\"", plain("fourth"))) {
                var entry = new AlterConfigsRequest.ConfigEntry(JAAS.substring(0, JAAS.length() - 1), value);
                var changes = Map.of(NODE, new AlterConfigsRequest.Config(List.of(entry)));
                node.answers()
                        .add(client.call(new AlterConfigsRequest.Builder(changes, false).build((short) 2), id++)
                                .toString());
            }
        }
    }

    /** What nodes say that do not start, on their consoles and in their logs. */
    private static String refusedStarts() throws IOException {
        List<GregorProcess> starts = new ArrayList<>();
        List<String> bad = List.of(BAD.get(0), BAD.get(6), BAD.get(9));
        for (String override : bad) {
            int port = GregorProcess.freePort();
            int controllerPort = GregorProcess.freePort();
            starts.add(GregorProcess.launch(
                    node.file().toString(),
                    directory.resolve("refused-" + starts.size()),
                    port,
                    controllerPort,
                    "listeners=" + MarkedNode.listenersOfAnother(port, controllerPort),
                    override));
        }
        StringBuilder said = new StringBuilder();
        for (GregorProcess start : starts) {
            assertThat(start.awaitExit()).as(start.consoleText()).isOne();
            assertThat(start.consoleText()).contains("gregor: ");
            said.append(start.consoleText()).append(filesBelow(start.home().resolve("logs")));
        }
        said.append(GregorProcess.gregor(
                        directory, "start", node.file().toString(), "--override", "ssl.key.password:" + MARK)
                .output());
        return said.toString();
    }

    private static String filesBelow(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            StringBuilder all = new StringBuilder();
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(file).append('\n').append(Files.readString(file, StandardCharsets.ISO_8859_1));
            }
            return all.toString();
        }
    }

    @Test
    void onTheConsole() {
        assertHasNone(node.process().consoleText(), "ready");
    }

    @Test
    void inTheLogs() throws IOException {
        assertHasNone(
                filesBelow(node.home().resolve("logs")),
                "server.log",
                "kafka-request.log",
                "kafka-authorizer.log",
                "gregor-audit.log",
                "IncrementalAlterConfigs",
                "ScramCredential");
    }

    @Test
    void inTheJournal() throws IOException {
        assertHasNone(
                Files.readString(node.home().resolve("changes.jsonl")) + node.shell("change:list"),
                "[hidden]",
                "refused");
    }

    @Test
    void inTheShell() {
        String config = node.shell("config:show");
        String each = Stream.of(
                        JAAS.substring(0, JAAS.length() - 1),
                        "listener.name.ssl.ssl.keystore.password",
                        "listener.name.sasl_ssl.ssl.keystore.key",
                        "delegation.token.secret.key",
                        "acme.password",
                        "acme.token",
                        "acme.endpoint")
                .map(key -> node.shell("config:show " + key))
                .collect(Collectors.joining());
        String commands = Stream.of("listener:list", "certificate:list", "certificate:reload", "node:show", "help")
                .map(node::shell)
                .collect(Collectors.joining());

        assertHasNone(config + each + commands, "[hidden]", "acme.endpoint", "SASL_SSL");
    }

    @Test
    void inAnswersAndRefusals() {
        assertHasNone(String.join("\n", node.answers()), "does not open", "Authentication failed");
    }

    @Test
    void inDescribeConfigs() throws Exception {
        try (Admin admin = node.admin()) {
            Map<ConfigResource, Config> described = admin.describeConfigs(
                            List.of(NODE, ALL_NODES),
                            new DescribeConfigsOptions().includeSynonyms(true).includeDocumentation(true))
                    .all()
                    .get();
            Map<String, ConfigEntry> entries = new LinkedHashMap<>();
            described.get(NODE).entries().forEach(entry -> entries.put(entry.name(), entry));

            assertThat(entries.get("acme.password").isSensitive()).isTrue();
            assertThat(entries.get("acme.endpoint").isSensitive()).isTrue();
            assertHasNone(
                    entries.values().stream()
                                    .map(entry -> entry + " " + entry.value() + " " + entry.documentation() + "\n"
                                            + entry.synonyms().stream()
                                                    .map(one -> one + " " + one.value())
                                                    .toList())
                                    .toList()
                            + described.get(ALL_NODES).toString(),
                    JAAS.substring(0, JAAS.length() - 1));
        }
    }

    @Test
    void inJmxAndThreads() throws Exception {
        try (NodeJmx jmx = NodeJmx.attach(node.process())) {
            assertHasNone(
                    jmx.everything("io.gregor*:*") + jmx.everything("kafka.*:*") + jmx.threads(""),
                    "kafka.network",
                    "data-plane-kafka-network-thread");
        }
    }

    @Test
    void inRefusedStarts() {
        assertHasNone(secretsOfStarts, "[hidden]", "does not open", "--override ssl.key.password");
    }

    private static void assertHasNone(String text, String... expected) {
        assertThat(text).contains(expected);
        assertThat(text.lines()
                        .filter(line -> Stream.of(node.secrets()).anyMatch(line::contains))
                        .toList())
                .isEmpty();
    }
}
