package io.gregor.node.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.config.provider.FileConfigProvider;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigReadingTest {
    @TempDir
    Path home;

    @Test
    void tellsTheListenersOfTheRolesApart() {
        NodeConfig config = NodeFile.combined(home).read();

        assertThat(config.nodeId()).isEqualTo(1);
        assertThat(config.roles()).containsExactly(Role.BROKER, Role.CONTROLLER);
        assertThat(shown(config.listeners(Role.BROKER))).containsExactly("PLAINTEXT://127.0.0.1:9092");
        assertThat(shown(config.listeners(Role.CONTROLLER))).containsExactly("CONTROLLER://127.0.0.1:9093");
        assertThat(shown(config.advertisedListeners(Role.BROKER))).containsExactly("PLAINTEXT://127.0.0.1:9092");
        assertThat(config.controllerListeners()).containsExactly(new ListenerName("CONTROLLER"));
        assertThat(config.interBrokerListener()).isEqualTo(new ListenerName("PLAINTEXT"));
    }

    @Test
    void aBrokerHasNoControllerListeners() {
        NodeConfig config = NodeFile.brokerOnly(home).read();

        assertThat(config.listeners(Role.CONTROLLER)).isEmpty();
        assertThat(config.advertisedListeners(Role.CONTROLLER)).isEmpty();
        assertThat(config.controllerListeners()).containsExactly(new ListenerName("CONTROLLER"));
    }

    @Test
    void advertisesWhatIsConfigured() {
        NodeConfig config = NodeFile.combined(home)
                .with(
                        "listeners=PLAINTEXT://0.0.0.0:9092,CONTROLLER://0.0.0.0:9093",
                        "advertised.listeners=PLAINTEXT://broker1.example.com:19092")
                .read();

        assertThat(shown(config.advertisedListeners(Role.BROKER)))
                .containsExactly("PLAINTEXT://broker1.example.com:19092");
        assertThat(shown(config.advertisedListeners(Role.CONTROLLER))).containsExactly("CONTROLLER://127.0.0.1:9093");
    }

    @Test
    void directoriesBeginAtHome() {
        NodeConfig config = NodeFile.combined(home)
                .with("log.dirs=a, /b/../c", "metadata.log.dir=m")
                .read();

        assertThat(config.logDirs()).containsExactly(home.resolve("a"), Path.of("/c"));
        assertThat(config.metadataLogDir()).isEqualTo(home.resolve("m"));
    }

    @Test
    void metadataIsInTheFirstLogDirectoryByDefault() {
        assertThat(NodeFile.combined(home).with("log.dirs=a,b").read().metadataLogDir())
                .isEqualTo(home.resolve("a"));
    }

    @Test
    void aSingleNodeWithoutAQuorumIsItsOwnVoter() {
        NodeConfig config =
                NodeFile.combined(home).with("controller.quorum.voters=").read();

        assertThat(config.values().getList("controller.quorum.voters")).containsExactly("1@127.0.0.1:9093");
    }

    @Test
    void aControllerWithoutAQuorumIsRefused() {
        NodeFile file = NodeFile.combined(home)
                .with("process.roles=controller", "listeners=CONTROLLER://127.0.0.1:9093", "controller.quorum.voters=");

        assertThatThrownBy(file::read)
                .isInstanceOf(StartRefused.class)
                .hasMessageStartingWith("controller.quorum.bootstrap.servers is not set: set it to host:port");
    }

    @Test
    void brokerValuesBecomeDefaultsOfTopics() {
        NodeConfig config = NodeFile.combined(home)
                .with("log.retention.hours=2", "log.segment.bytes=2097152", "message.max.bytes=77", "num.partitions=3")
                .read();

        LogConfig topic = new LogConfig(config.topicDefaults());
        assertThat(topic.retentionMs).isEqualTo(7_200_000);
        assertThat(topic.segmentSize()).isEqualTo(2_097_152);
        assertThat(topic.maxMessageSize()).isEqualTo(77);
        assertThat(config.topicDefaults()).hasSize(31);
    }

    @Test
    void valuesCanComeFromAnotherFile() throws IOException {
        Path other = Files.writeString(home.resolve("other.properties"), "threads=5");

        NodeConfig config = NodeFile.combined(home)
                .with(
                        "config.providers=file",
                        "config.providers.file.class=" + FileConfigProvider.class.getName(),
                        "num.io.threads=${file:" + other + ":threads}")
                .read();

        assertThat(config.values().numIoThreads()).isEqualTo(5);
    }

    @Test
    void ownKeysHaveValues() {
        assertThat(NodeFile.combined(home).read().values().getLong("gregor.handler.swap.timeout.ms"))
                .isEqualTo(10_000);
    }

    private static List<String> shown(List<Endpoint> endpoints) {
        return endpoints.stream()
                .map(endpoint -> endpoint.listener() + "://" + endpoint.host() + ":" + endpoint.port())
                .toList();
    }
}
