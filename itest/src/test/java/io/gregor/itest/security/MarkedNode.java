package io.gregor.itest.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.GregorProcess.Finished;
import io.gregor.itest.ShellSocket;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/**
 * A combined node with a listener of every protocol whose every secret can be told from other text, and all that it answered to
 * clients and in its shell. Owned by the test thread.
 */
final class MarkedNode implements AutoCloseable {
    /** In every password and every other secret that somebody chose. */
    static final String MARK = "mArKeD";

    static final String PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule required ";

    private static final ConfigResource NODE = new ConfigResource(ConfigResource.Type.BROKER, "1");

    private final Map<SecurityProtocol, Integer> ports = freePorts();
    private final List<String> answers = new ArrayList<>();
    private final List<String> secrets = new ArrayList<>(List.of(MARK, TestKey.PASSWORD));
    private final Path home;
    private final Path file;
    private final GregorProcess process;

    private MarkedNode(Path home) throws IOException {
        this.home = Files.createDirectories(home);
        int controllerPort = GregorProcess.freePort();
        file = settings(controllerPort);
        format();
        process = GregorProcess.launch(
                        file.toString(),
                        home,
                        port(SecurityProtocol.PLAINTEXT),
                        controllerPort,
                        "listeners=" + listeners(ports, controllerPort))
                .awaitReady();
    }

    /** Formats and starts one that answers when this returns. */
    static MarkedNode start(Path home) throws IOException {
        return new MarkedNode(home);
    }

    /** The same listeners on ports of another node. */
    static String listenersOfAnother(int port, int controllerPort) {
        Map<SecurityProtocol, Integer> ports = freePorts();
        ports.put(SecurityProtocol.PLAINTEXT, port);
        return listeners(ports, controllerPort);
    }

    private static Map<SecurityProtocol, Integer> freePorts() {
        Map<SecurityProtocol, Integer> ports = new HashMap<>();
        for (SecurityProtocol protocol : SecurityProtocol.values()) {
            ports.put(protocol, GregorProcess.freePort());
        }
        return ports;
    }

    private static String listeners(Map<SecurityProtocol, Integer> ports, int controllerPort) {
        StringBuilder listeners = new StringBuilder("CONTROLLER://127.0.0.1:" + controllerPort);
        ports.forEach((protocol, port) -> listeners
                .append(',')
                .append(protocol.name)
                .append("://127.0.0.1:")
                .append(port));
        return listeners.toString();
    }

    private Path settings(int controllerPort) throws IOException {
        Path elsewhere = Files.writeString(
                home.resolve("elsewhere.properties"),
                "store=" + TestKey.PASSWORD + "\nalice=" + MARK + "-found\nendpoint=https://" + MARK + ".example\n");
        TestKey inline = key(TestCertificates.server(7));
        Properties all = new Properties();
        all.putAll(Map.of(
                "process.roles", "broker,controller",
                "node.id", "1",
                "log.dirs", "data",
                "controller.listener.names", "CONTROLLER",
                "controller.quorum.voters", "1@127.0.0.1:" + controllerPort,
                "inter.broker.listener.name", "PLAINTEXT",
                "listeners", listeners(ports, controllerPort),
                "listener.security.protocol.map",
                        "PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT",
                "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "super.users", "User:ANONYMOUS"));
        all.putAll(Map.of(
                "config.providers", "file",
                "config.providers.file.class", "org.apache.kafka.common.config.provider.FileConfigProvider",
                "delegation.token.secret.key", MARK + "-tokens",
                "acme.endpoint", "${file:" + elsewhere + ":endpoint}",
                "acme.password", MARK + "-acme"));
        all.putAll(Map.of(
                "listener.name.ssl.ssl.keystore.type",
                "PKCS12",
                "listener.name.ssl.ssl.keystore.location",
                TestCertificates.server().pkcs12(home.resolve("server.p12")).toString(),
                "listener.name.ssl.ssl.keystore.password",
                "${file:" + elsewhere + ":store}",
                "listener.name.ssl.ssl.key.password",
                TestKey.PASSWORD,
                "listener.name.ssl.ssl.truststore.type",
                "PKCS12",
                "listener.name.ssl.ssl.truststore.location",
                TestStores.trustPkcs12(home.resolve("trust.p12"), TestCertificates.authority())
                        .toString(),
                "listener.name.ssl.ssl.truststore.password",
                TestKey.PASSWORD,
                "listener.name.sasl_ssl.ssl.keystore.type",
                "PEM",
                "listener.name.sasl_ssl.ssl.keystore.key",
                inline.keyPem(),
                "listener.name.sasl_ssl.ssl.keystore.certificate.chain",
                inline.chainPem()));
        all.putAll(Map.of(
                "sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-256,OAUTHBEARER",
                "listener.name.sasl_plaintext.plain.sasl.jaas.config", plain(MARK + "-alice"),
                "listener.name.sasl_ssl.plain.sasl.jaas.config", plain("${file:" + elsewhere + ":alice}")));
        for (String listener : List.of("sasl_plaintext", "sasl_ssl")) {
            for (String mechanism : List.of("SCRAM-SHA-256", "OAUTHBEARER")) {
                all.put(
                        "listener.name." + listener + "." + mechanism.toLowerCase() + ".sasl.jaas.config",
                        SecuredNode.jaasOfNode(mechanism));
            }
        }
        Path written = home.resolve("marked.properties");
        try (Writer out = Files.newBufferedWriter(written)) {
            all.store(out, null);
        }
        return written;
    }

    /** A JAAS configuration with which alice can log in by this password. */
    static String plain(String password) {
        return PLAIN + "username=\"node\" password=\"" + MARK + "-node\" user_alice=\"" + password + "\";";
    }

    private void format() {
        String[] users = {"name=alice,password=" + MARK + "-format", "name=bob,pasword=" + MARK + "-typo"};
        List<Integer> statuses = new ArrayList<>();
        for (int i = users.length - 1; i >= 0; i--) {
            Finished formatted = GregorProcess.gregor(
                    home,
                    "format",
                    "-t",
                    "q1Sh-9_ISia_zwGINzRvyQ",
                    "-c",
                    file.toString(),
                    "--home",
                    home.toString(),
                    "--add-scram",
                    "SCRAM-SHA-256=[" + users[i] + "]");
            statuses.add(formatted.status());
            answers.add(formatted.output());
        }
        assertThat(statuses).as("%s", answers).containsExactly(1, 0);
    }

    /** Has a key's lines looked for from now on. */
    TestKey key(TestKey key) {
        key.keyPem().lines().filter(line -> !line.startsWith("-----")).forEach(secrets::add);
        return key;
    }

    /** Has this looked for from now on. */
    void secret(String secret) {
        secrets.add(secret);
    }

    /** What is not to be found anywhere. */
    String[] secrets() {
        return secrets.toArray(String[]::new);
    }

    /** What clients and the shell were told. */
    List<String> answers() {
        return answers;
    }

    /** Sends a command to the shell and keeps the answer. */
    String shell(String command) {
        String output = ShellSocket.call(home, command).output();
        answers.add(output);
        return output;
    }

    /** Settings of clients of one user. */
    Map<String, Object> clients(SecurityProtocol protocol, String mechanism, String login) {
        Map<String, Object> clients = new HashMap<>(Map.of(
                "bootstrap.servers",
                "127.0.0.1:" + port(protocol),
                "security.protocol",
                protocol.name,
                "sasl.mechanism",
                mechanism,
                "sasl.jaas.config",
                login));
        if (protocol == SecurityProtocol.SASL_SSL) {
            clients.put("ssl.truststore.type", "PEM");
            clients.put("ssl.truststore.certificates", TestStores.pem(TestCertificates.authority()));
        }
        return clients;
    }

    /** A client that may do all. */
    Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", process.bootstrap()));
    }

    /** Sets values ({@code key=value}) of the node, keeps what it says, and returns whether it took them. */
    boolean isSet(Admin admin, ConfigResource resource, String... assignments) throws InterruptedException {
        List<AlterConfigOp> changes = new ArrayList<>();
        for (String assignment : assignments) {
            String[] parts = assignment.split("=", 2);
            changes.add(new AlterConfigOp(new ConfigEntry(parts[0], parts[1]), AlterConfigOp.OpType.SET));
        }
        return isDone(admin.incrementalAlterConfigs(Map.of(resource, changes)).all());
    }

    /** The same for this node alone. */
    boolean isSet(Admin admin, String... assignments) throws InterruptedException {
        return isSet(admin, NODE, assignments);
    }

    /** Waits for an answer, and keeps what it says if it is a refusal. */
    boolean isDone(KafkaFuture<?> future) throws InterruptedException {
        try {
            future.get();
            return true;
        } catch (ExecutionException refused) {
            answers.add(refused.toString());
            return false;
        }
    }

    int port(SecurityProtocol protocol) {
        return ports.get(protocol);
    }

    Path home() {
        return home;
    }

    Path file() {
        return file;
    }

    GregorProcess process() {
        return process;
    }

    @Override
    public void close() {
        process.close();
    }
}
