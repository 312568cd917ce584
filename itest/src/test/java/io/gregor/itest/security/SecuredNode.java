package io.gregor.itest.security;

import io.gregor.itest.GregorProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialAlteration;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/**
 * A combined node with a listener of every security protocol, called like the protocol: SSL asks for a client's certificate
 * and does without, SASL takes {@link #MECHANISMS}. The controller's listener is PLAINTEXT. Owned by the test thread.
 */
public final class SecuredNode implements AutoCloseable {
    /** What the SASL listeners take. */
    public static final List<String> MECHANISMS = List.of("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER");

    /** Users and their passwords, with PLAIN and after {@link #addScramUsers} with SCRAM. */
    public static final Map<String, String> USERS =
            Map.of("admin", "admin-secret", "alice", "alice-secret", "bob", "bob-secret");

    /** {@code authorizer} and who may do all: {@code admin}, and everybody who comes without being asked who he is. */
    public static final List<String> AUTHORIZER = List.of(
            "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "super.users=User:ANONYMOUS;User:admin");

    private static final String MODULES = "org.apache.kafka.common.security.";

    /** A token of another scope is refused. */
    private static final String SCOPE = "gregor";

    private final Map<SecurityProtocol, Integer> ports;
    private final GregorProcess process;

    private SecuredNode(Map<SecurityProtocol, Integer> ports, GregorProcess process) {
        this.ports = ports;
        this.process = process;
    }

    /** Starts one that answers on PLAINTEXT when this returns; later overrides ({@code key=value}) win. */
    public static SecuredNode start(Path home, String... overrides) {
        Map<SecurityProtocol, Integer> ports = freePorts();
        return new SecuredNode(ports, launch(home, ports, overrides).awaitReady());
    }

    /** The same with {@link #AUTHORIZER}. */
    public static SecuredNode startWithAuthorizer(Path home, String... overrides) {
        List<String> all = new ArrayList<>(AUTHORIZER);
        all.addAll(List.of(overrides));
        return start(home, all.toArray(String[]::new));
    }

    private static Map<SecurityProtocol, Integer> freePorts() {
        Map<SecurityProtocol, Integer> ports = new EnumMap<>(SecurityProtocol.class);
        for (SecurityProtocol protocol : SecurityProtocol.values()) {
            ports.put(protocol, GregorProcess.freePort());
        }
        return ports;
    }

    private static GregorProcess launch(Path home, Map<SecurityProtocol, Integer> ports, String... overrides) {
        int controllerPort = GregorProcess.freePort();
        List<String> all = new ArrayList<>(settings(home.resolve("certificates")));
        all.add("listeners=" + listeners(ports, controllerPort));
        all.addAll(Arrays.asList(overrides));
        return GregorProcess.launch(
                "server.properties",
                home,
                ports.get(SecurityProtocol.PLAINTEXT),
                controllerPort,
                all.toArray(String[]::new));
    }

    private static String listeners(Map<SecurityProtocol, Integer> ports, int controllerPort) {
        return ports.entrySet().stream()
                        .map(entry -> entry.getKey().name + "://127.0.0.1:" + entry.getValue())
                        .collect(Collectors.joining(","))
                + ",CONTROLLER://127.0.0.1:" + controllerPort;
    }

    private static List<String> settings(Path certificates) {
        List<String> settings = new ArrayList<>(List.of(
                "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,"
                        + "SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT",
                "ssl.keystore.type=PKCS12",
                "ssl.keystore.location=" + TestCertificates.server().pkcs12(certificates.resolve("server.p12")),
                "ssl.keystore.password=" + TestKey.PASSWORD,
                "ssl.key.password=" + TestKey.PASSWORD,
                "ssl.truststore.type=PKCS12",
                "ssl.truststore.location="
                        + TestStores.trustPkcs12(certificates.resolve("trust.p12"), TestCertificates.authority()),
                "ssl.truststore.password=" + TestKey.PASSWORD,
                "listener.name.ssl.ssl.client.auth=requested",
                "sasl.enabled.mechanisms=" + String.join(",", MECHANISMS)));
        for (String listener : List.of("sasl_plaintext", "sasl_ssl")) {
            for (String mechanism : MECHANISMS) {
                settings.add("listener.name." + listener + "." + mechanism.toLowerCase() + ".sasl.jaas.config="
                        + jaasOfNode(mechanism));
            }
        }
        return settings;
    }

    /** {@code sasl.jaas.config} of a listener for one mechanism. */
    public static String jaasOfNode(String mechanism) {
        return switch (mechanism) {
            case "PLAIN" ->
                MODULES + "plain.PlainLoginModule required "
                        + USERS.entrySet().stream()
                                .map(user -> "user_" + user.getKey() + "=\"" + user.getValue() + "\"")
                                .collect(Collectors.joining(" "))
                        + ";";
            case "OAUTHBEARER" ->
                MODULES
                        + "oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub=\"node\""
                        + " unsecuredValidatorRequiredScope=\"" + SCOPE + "\";";
            default -> MODULES + "scram.ScramLoginModule required;";
        };
    }

    /** Gives all {@link #USERS} their passwords for both SCRAM mechanisms. */
    public SecuredNode addScramUsers() throws Exception {
        try (Admin admin = Admin.create(clients())) {
            // A request may name each user once.
            for (ScramMechanism mechanism : List.of(ScramMechanism.SCRAM_SHA_256, ScramMechanism.SCRAM_SHA_512)) {
                List<UserScramCredentialAlteration> users = new ArrayList<>();
                USERS.forEach((user, password) -> users.add(
                        new UserScramCredentialUpsertion(user, new ScramCredentialInfo(mechanism, 4096), password)));
                admin.alterUserScramCredentials(users).all().get();
            }
        }
        return this;
    }

    /** Settings of clients that come without being asked who they are; a map of its own, to add to. */
    public Map<String, Object> clients() {
        return clients(SecurityProtocol.PLAINTEXT);
    }

    /** Settings of clients that know the node's certificate over TLS, and do not say who they are. */
    public Map<String, Object> clients(SecurityProtocol protocol) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", "127.0.0.1:" + port(protocol));
        settings.put("security.protocol", protocol.name);
        if (protocol == SecurityProtocol.SSL || protocol == SecurityProtocol.SASL_SSL) {
            settings.put("ssl.truststore.type", "PEM");
            settings.put("ssl.truststore.certificates", TestStores.pem(TestCertificates.authority()));
        }
        return settings;
    }

    /** Settings of clients on the listener SSL with a certificate. */
    public Map<String, Object> clients(TestKey own) {
        Map<String, Object> settings = clients(SecurityProtocol.SSL);
        settings.put("ssl.keystore.type", "PEM");
        settings.put("ssl.keystore.key", own.keyPem());
        settings.put("ssl.keystore.certificate.chain", own.chainPem());
        return settings;
    }

    /** Settings of clients of one of the {@link #USERS}. */
    public Map<String, Object> clients(SecurityProtocol protocol, String mechanism, String user) {
        return clients(protocol, mechanism, user, USERS.get(user));
    }

    /** The same with any user and any password; with OAUTHBEARER a password other than the user's makes a bad token. */
    public Map<String, Object> clients(SecurityProtocol protocol, String mechanism, String user, String password) {
        Map<String, Object> settings = clients(protocol);
        settings.put("sasl.mechanism", mechanism);
        settings.put("sasl.jaas.config", jaasOfClient(mechanism, user, password));
        return settings;
    }

    private static String jaasOfClient(String mechanism, String user, String password) {
        String login = " required username=\"" + user + "\" password=\"" + password + "\";";
        return switch (mechanism) {
            case "PLAIN" -> MODULES + "plain.PlainLoginModule" + login;
            case "OAUTHBEARER" ->
                MODULES + "oauthbearer.OAuthBearerLoginModule required"
                        + " unsecuredLoginStringClaim_sub=\"" + user + "\" unsecuredLoginListClaim_scope=\","
                        + (password.equals(USERS.get(user)) ? SCOPE : password) + "\";";
            default -> MODULES + "scram.ScramLoginModule" + login;
        };
    }

    /** Of the listener with this protocol. */
    public int port(SecurityProtocol protocol) {
        return ports.get(protocol);
    }

    /** {@code listeners} as at the start, for changes. */
    public String listeners() {
        return listeners(ports, process.controllerPort());
    }

    public GregorProcess process() {
        return process;
    }

    @Override
    public void close() {
        process.close();
    }
}
