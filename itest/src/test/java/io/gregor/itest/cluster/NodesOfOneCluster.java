package io.gregor.itest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.GregorProcess.Finished;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/**
 * Controllers and brokers as processes of their own that form one cluster: formatted with one cluster id, with one idea of
 * where the controllers are. Brokers are closed before controllers. Owned by the test thread.
 */
public final class NodesOfOneCluster implements AutoCloseable {
    private static final String CLUSTER_ID = "AAAAAAAAQAmAAAAAAAAAAA";
    private static final Path DISTRIBUTION = Path.of(System.getProperty("gregor.dist", "../launcher/target/gregor"));

    private final Path directory;
    private final boolean isDynamic;
    private final Map<Integer, Integer> controllerPorts = new LinkedHashMap<>();
    private final Map<Integer, GregorProcess> controllers = new LinkedHashMap<>();
    private final Map<Integer, GregorProcess> brokers = new LinkedHashMap<>();
    private List<String> common = List.of();

    private NodesOfOneCluster(Path directory, boolean isDynamic, int... controllerIds) {
        this.directory = directory;
        this.isDynamic = isDynamic;
        Arrays.stream(controllerIds).forEach(id -> controllerPorts.put(id, GregorProcess.freePort()));
    }

    /** With these voters for ever; none is started yet. */
    public static NodesOfOneCluster withVoters(Path directory, int... controllerIds) {
        return new NodesOfOneCluster(directory, false, controllerIds);
    }

    /** With a quorum that can grow and shrink, and these controllers to be asked where it is; none is started yet. */
    static NodesOfOneCluster withBootstrapServers(Path directory, int... controllerIds) {
        return new NodesOfOneCluster(directory, true, controllerIds);
    }

    /** Gives those that are started later these settings ({@code key=value}), which win. */
    public NodesOfOneCluster with(List<String> settings) {
        common = List.copyOf(settings);
        return this;
    }

    /** Formats and starts a controller; returns when the process is started. */
    public GregorProcess controller(int id, String... formatOptions) {
        int port = controllerPorts.get(id);
        Path home = home("controller", id);
        List<String> overrides = overrides(id, "listeners=CONTROLLER://127.0.0.1:" + port);
        format(home, "controller.properties", overrides, formatOptions);
        GregorProcess node = GregorProcess.launch(
                "controller.properties", home, GregorProcess.freePort(), port, overrides.toArray(String[]::new));
        controllers.put(id, node);
        return node;
    }

    /** Formats and starts a broker; returns when the process is started. */
    public GregorProcess broker(int id) {
        int port = GregorProcess.freePort();
        Path home = home("broker", id);
        List<String> overrides = overrides(id, "listeners=PLAINTEXT://127.0.0.1:" + port);
        format(home, "broker.properties", overrides);
        GregorProcess node = GregorProcess.launch(
                "broker.properties", home, port, GregorProcess.freePort(), overrides.toArray(String[]::new));
        brokers.put(id, node);
        return node;
    }

    /** A client of the brokers. */
    public Admin admin() {
        return Admin.create(client());
    }

    /** Where a client finds the brokers, and patience for a busy machine. */
    public Properties client() {
        Properties properties = new Properties();
        properties.put(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                brokers.values().stream().map(GregorProcess::bootstrap).collect(Collectors.joining(",")));
        properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 90_000);
        return properties;
    }

    private List<String> overrides(int id, String listeners) {
        List<String> overrides = new ArrayList<>(List.of("node.id=" + id, listeners));
        if (isDynamic) {
            overrides.add("controller.quorum.voters=");
            overrides.add("controller.quorum.bootstrap.servers=" + addresses(port -> "127.0.0.1:" + port.getValue()));
        } else {
            overrides.add(
                    "controller.quorum.voters=" + addresses(port -> port.getKey() + "@127.0.0.1:" + port.getValue()));
        }
        overrides.addAll(common);
        return overrides;
    }

    private String addresses(Function<Map.Entry<Integer, Integer>, String> address) {
        return controllerPorts.entrySet().stream().map(address).collect(Collectors.joining(","));
    }

    private void format(Path home, String config, List<String> overrides, String... options) {
        List<String> arguments = new ArrayList<>(List.of(
                "format",
                "--cluster-id",
                CLUSTER_ID,
                "--config",
                DISTRIBUTION.resolve("config").resolve(config).toString(),
                "--home",
                home.toString()));
        arguments.addAll(List.of(options));
        overrides.forEach(override -> arguments.addAll(List.of("--override", override)));
        Finished formatted = GregorProcess.gregor(home, arguments.toArray(String[]::new));
        assertThat(formatted.status()).as(formatted.output()).isZero();
    }

    private Path home(String kind, int id) {
        try {
            return Files.createDirectories(directory.resolve(kind + "-" + id));
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    @Override
    public void close() {
        Stream.concat(brokers.values().stream(), controllers.values().stream()).forEach(GregorProcess::close);
    }
}
