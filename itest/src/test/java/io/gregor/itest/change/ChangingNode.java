package io.gregor.itest.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.GregorProcess.Finished;
import io.gregor.itest.NodeJmx;
import io.gregor.itest.RawClient;
import io.gregor.itest.ShellSocket;
import io.gregor.itest.load.Load;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.AlterConfigsOptions;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;

/**
 * A node with the topics of a load whose settings are changed while it runs, through Kafka's Admin client or the shell.
 * Nothing is written to its metadata log but what a test does. Owned by the test thread.
 */
final class ChangingNode implements AutoCloseable {
    static final ConfigResource THIS_NODE = new ConfigResource(ConfigResource.Type.BROKER, "1");
    static final ConfigResource ALL_NODES = new ConfigResource(ConfigResource.Type.BROKER, "");
    static final ConfigResource LOGGERS = new ConfigResource(ConfigResource.Type.BROKER_LOGGER, "1");

    /** Is stored for all nodes when a directory is formatted. */
    private static final String OF_THE_FORMAT = "min.insync.replicas";

    private static final String NETWORK_THREAD = "data-plane-kafka-network-thread-";

    /** By then threads and MBeans are those of the new configuration. */
    static final Duration SOON = Duration.ofSeconds(5);

    private final GregorProcess process;
    private Admin admin;
    private NodeJmx jmx;

    private ChangingNode(GregorProcess process) throws IOException {
        this.process = process;
        connect();
    }

    static ChangingNode start(Path home, String... overrides) throws Exception {
        return start(home, GregorProcess.freePort(), GregorProcess.freePort(), overrides);
    }

    /** With these ports of the listeners PLAINTEXT and CONTROLLER. */
    static ChangingNode start(Path home, int port, int controllerPort, String... overrides) throws Exception {
        String[] all = Arrays.copyOf(overrides, overrides.length + 1);
        all[overrides.length] = "metadata.max.idle.interval.ms=0";
        GregorProcess process = GregorProcess.launch("server.properties", home, port, controllerPort, all)
                .awaitReady();
        return of(process);
    }

    /** One that runs, made ready for a load. */
    static ChangingNode of(GregorProcess running) throws Exception {
        Load.createTopics(running);
        return new ChangingNode(running);
    }

    private void connect() throws IOException {
        admin = Admin.create(Map.of("bootstrap.servers", process.bootstrap()));
        jmx = NodeJmx.attach(process);
    }

    private void disconnect() throws IOException {
        admin.close();
        jmx.close();
    }

    /** Stops it cleanly and starts it again. */
    void restart() throws IOException {
        disconnect();
        process.stop();
        process.restart();
        connect();
    }

    /** Sets keys of this node; returns when they count. */
    void set(String... keyValues) throws Exception {
        alter(THIS_NODE, false, ops(OpType.SET, keyValues));
    }

    /** Sets keys of all nodes of the cluster; returns when they count. */
    void setForAll(String... keyValues) throws Exception {
        alter(ALL_NODES, false, ops(OpType.SET, keyValues));
    }

    /** Deletes keys of this node; returns when the values below count. */
    void delete(String... keys) throws Exception {
        alter(THIS_NODE, false, deletions(keys));
    }

    /** Deletes keys of all nodes. */
    void deleteForAll(String... keys) throws Exception {
        alter(ALL_NODES, false, deletions(keys));
    }

    /** Only asks whether this node would take these values. */
    void validate(String... keyValues) throws Exception {
        alter(THIS_NODE, true, ops(OpType.SET, keyValues));
    }

    static List<AlterConfigOp> ops(OpType type, String... keyValues) {
        return Arrays.stream(keyValues)
                .map(pair -> pair.split("=", 2))
                .map(pair -> new AlterConfigOp(new ConfigEntry(pair[0], pair[1]), type))
                .toList();
    }

    private static List<AlterConfigOp> deletions(String... keys) {
        return Arrays.stream(keys)
                .map(key -> new AlterConfigOp(new ConfigEntry(key, null), OpType.DELETE))
                .toList();
    }

    /** Throws what the node answers, not what it is wrapped in. */
    void alter(ConfigResource resource, boolean isDryRun, Collection<AlterConfigOp> ops) throws Exception {
        try {
            admin.incrementalAlterConfigs(Map.of(resource, ops), new AlterConfigsOptions().validateOnly(isDryRun))
                    .all()
                    .get();
        } catch (ExecutionException answered) {
            throw answered.getCause() instanceof Exception refusal ? refusal : answered;
        }
    }

    /** The value that counts, as DescribeConfigs tells it. */
    String value(String key) throws Exception {
        return config(THIS_NODE).get(key).value();
    }

    /** What is stored for this node ({@code 1/key}) and for all ({@code /key}). */
    Map<String, String> stored() throws Exception {
        Map<String, String> stored = new TreeMap<>();
        for (ConfigEntry entry : config(THIS_NODE).entries()) {
            if (entry.source() == ConfigSource.DYNAMIC_BROKER_CONFIG) {
                stored.put("1/" + entry.name(), entry.value());
            }
        }
        for (ConfigEntry entry : config(ALL_NODES).entries()) {
            if (entry.source() == ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG
                    && !entry.name().equals(OF_THE_FORMAT)) {
                stored.put("/" + entry.name(), entry.value());
            }
        }
        return stored;
    }

    Config config(ConfigResource resource) throws Exception {
        return admin.describeConfigs(List.of(resource)).values().get(resource).get();
    }

    /** The offset behind the last record of the metadata log. */
    long metadataEnd() throws Exception {
        return admin.describeMetadataQuorum().quorumInfo().get().voters().get(0).logEndOffset();
    }

    /** Gives the shell a command that has to go well, and returns what it prints. */
    String shell(String command) {
        Finished finished = ShellSocket.call(process.home(), command);
        assertThat(finished.status()).as("%s: %s", command, finished.output()).isZero();
        return finished.output();
    }

    /** Waits until there are so many network threads of a listener, and MBeans of just the threads that there are. */
    void awaitProcessors(String listener, int count) {
        await().atMost(SOON).untilAsserted(() -> {
            assertThat(processors(listener)).hasSize(count);
            assertThat(jmx.values(
                            "kafka.server:type=socket-server-metrics,listener=" + listener + ",networkProcessor=*",
                            "networkProcessor"))
                    .isEqualTo(processors(listener));
            Set<String> ofBroker = processors("(?!CONTROLLER).*");
            assertThat(jmx.values(
                            "kafka.network:type=Processor,name=IdlePercent,networkProcessor=*", "networkProcessor"))
                    .isEqualTo(ofBroker);
            assertThat(jmx.values("kafka.network:type=RequestChannel,name=ResponseQueueSize,processor=*", "processor"))
                    .isEqualTo(ofBroker);
        });
    }

    /** The numbers of the network threads of listeners with such a name. */
    private Set<String> processors(String listener) {
        Pattern name = Pattern.compile(NETWORK_THREAD + "1-" + listener + "-[A-Z_]+-(\\d+)");
        return jmx.threads(NETWORK_THREAD).stream()
                .map(name::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Where the node says that it is, asked through a port: {@code host:port}. */
    static String advertised(int port) throws IOException {
        return advertised("127.0.0.1", port);
    }

    static String advertised(String host, int port) throws IOException {
        try (RawClient client = RawClient.connect("127.0.0.1", host, port)) {
            MetadataRequestData all = new MetadataRequestData().setTopics(List.of());
            MetadataResponse answer = (MetadataResponse) client.call(new MetadataRequest(all, (short) 12), 1);
            return answer.brokers().stream()
                    .map(broker -> broker.host() + ":" + broker.port())
                    .collect(Collectors.joining(","));
        }
    }

    /** Asks something small, and checks the answer. */
    static void ask(RawClient client, int correlationId) throws IOException {
        client.call(new ApiVersionsRequest.Builder().build((short) 3), correlationId);
    }

    GregorProcess process() {
        return process;
    }

    Admin admin() {
        return admin;
    }

    NodeJmx jmx() {
        return jmx;
    }

    int port() {
        return process.port();
    }

    /** {@code PLAINTEXT} and {@code CONTROLLER} with the ports of the start, and further ones: {@code NAME://host:port}. */
    String listeners(String... further) {
        String own = "PLAINTEXT://127.0.0.1:" + port();
        String controller = "CONTROLLER://127.0.0.1:" + process.controllerPort();
        return "listeners=" + own + "," + String.join(",", further) + (further.length == 0 ? "" : ",") + controller;
    }

    @Override
    public void close() throws IOException {
        disconnect();
        process.close();
    }
}
