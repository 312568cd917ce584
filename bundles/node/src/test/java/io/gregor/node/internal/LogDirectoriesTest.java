package io.gregor.node.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.node.NodeIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogDirectoriesTest {
    @TempDir
    Path home;

    @Test
    void formatsTheEmptyDirectoriesOfASingleNodeOnce() {
        NodeFile file = NodeFile.combined(home).with("log.dirs=a,b");

        NodeIdentity first = open(file);
        NodeIdentity second = open(file);

        assertThat(first.nodeId()).isEqualTo(1);
        assertThat(first.clusterId()).hasSize(22);
        assertThat(first.directoryIds())
                .containsOnlyKeys(
                        home.resolve("a").toString(), home.resolve("b").toString())
                .containsEntry(home.resolve("a").toString(), first.metadataDirectoryId());
        assertThat(home.resolve("a/__cluster_metadata-0/00000000000000000000-0000000000.checkpoint"))
                .isRegularFile();
        assertThat(second).isEqualTo(first);
    }

    @Test
    void formatsASingleNodeOfAQuorumThatCanGrow() {
        NodeFile file = NodeFile.combined(home)
                .with("controller.quorum.voters=", "controller.quorum.bootstrap.servers=localhost:9093");

        NodeIdentity identity = open(file);

        assertThat(identity.directoryIds()).containsValue(identity.metadataDirectoryId());
    }

    @Test
    void doesNotInventAClusterForABroker() {
        NodeFile file = NodeFile.brokerOnly(home);

        assertThatThrownBy(() -> open(file))
                .isInstanceOf(StartRefused.class)
                .hasMessage("log directories are empty: directories=[" + home.resolve("data")
                        + "], and this node is not the only controller of its cluster: format them with the cluster's id:"
                        + " bin/gregor format -t CLUSTER_ID -c " + file.file());
        assertThat(home.resolve("data")).doesNotExist();
    }

    @Test
    void doesNotInventAClusterForOneOfSeveralControllers() {
        NodeFile several = NodeFile.combined(home).with("controller.quorum.voters=1@127.0.0.1:9093,2@127.0.0.1:9193");
        NodeFile elsewhere = NodeFile.combined(home)
                .with("controller.quorum.voters=", "controller.quorum.bootstrap.servers=127.0.0.1:9999");

        assertThatThrownBy(() -> open(several)).hasMessageContaining("not the only controller");
        assertThatThrownBy(() -> open(elsewhere)).hasMessageContaining("not the only controller");
    }

    @Test
    void leavesAForeignDirectoryUntouched() throws IOException {
        Files.createDirectories(home.resolve("data/photos"));
        Files.writeString(home.resolve("data/notes.txt"), "mine");

        assertThatThrownBy(() -> open(NodeFile.combined(home)))
                .isInstanceOf(StartRefused.class)
                .hasMessageStartingWith("log directory is not empty and has no meta.properties: directory="
                        + home.resolve("data") + " holds [notes.txt, photos], it is left untouched");
        assertThat(home.resolve("data")).isDirectoryNotContaining("glob:**meta.properties");
    }

    @Test
    void anEmptyFileSystemIsEmpty() throws IOException {
        Files.createDirectories(home.resolve("data/lost+found"));

        assertThat(open(NodeFile.combined(home)).nodeId()).isEqualTo(1);
    }

    @Test
    void refusesTheDirectoryOfAnotherNode() throws IOException {
        open(NodeFile.combined(home));
        String before = properties("data");

        assertThatThrownBy(() ->
                        open(NodeFile.combined(home).with("node.id=7", "controller.quorum.voters=7@127.0.0.1:9093")))
                .isInstanceOf(StartRefused.class)
                .hasMessageStartingWith("log directory does not belong to this node: it is node 1's, in "
                        + home.resolve("data") + ", and node.id=7, it is left untouched");
        assertThat(properties("data")).isEqualTo(before);
    }

    @Test
    void refusesDirectoriesOfTwoClusters() throws IOException {
        open(NodeFile.combined(home).with("log.dirs=a"));
        open(NodeFile.combined(home).with("log.dirs=b"));

        assertThatThrownBy(() -> open(NodeFile.combined(home).with("log.dirs=a,b", "metadata.log.dir=a")))
                .hasMessageStartingWith("log directory does not belong to this node: Invalid cluster.id in: ");
    }

    @Test
    void refusesADamagedDirectory() throws IOException {
        open(NodeFile.combined(home).with("log.dirs=a,b"));
        Files.writeString(home.resolve("b/meta.properties"), "version=1\nnode.id=x\n");

        assertThatThrownBy(() -> open(NodeFile.combined(home).with("log.dirs=a,b")))
                .isInstanceOf(StartRefused.class)
                .hasMessageStartingWith(
                        "log directory is damaged: file=" + home.resolve("b/meta.properties") + " reason=");
        assertThat(properties("b")).isEqualTo("version=1\nnode.id=x\n");
    }

    @Test
    void aDirectoryThatHasFailedIsLeftOut() throws IOException {
        NodeFile file = NodeFile.combined(home).with("log.dirs=a,b");
        open(file);
        Files.move(home.resolve("b"), home.resolve("away"));
        Files.createFile(home.resolve("b"));

        assertThat(open(file).directoryIds()).containsOnlyKeys(home.resolve("a").toString());
    }

    @Test
    void refusesAFileInTheMetadataDirectorysPlace() throws IOException {
        NodeFile file = NodeFile.combined(home).with("log.dirs=a,b");
        open(file);
        Files.move(home.resolve("a"), home.resolve("away"));
        Files.createFile(home.resolve("a"));

        assertThatThrownBy(() -> open(file)).hasMessageStartingWith("log directory is not a directory");
    }

    @Test
    void refusesADirectoryOfABrokerWithZooKeeper() throws IOException {
        Files.createDirectories(home.resolve("data"));
        Files.writeString(home.resolve("data/meta.properties"), "version=0\nbroker.id=1\ncluster.id=abc\n");

        assertThatThrownBy(() -> open(NodeFile.combined(home))).hasMessageContaining("a broker with ZooKeeper");
    }

    @Test
    void saysHowToFormatANewDirectoryBesideOldOnes() {
        NodeIdentity identity = open(NodeFile.combined(home).with("log.dirs=a"));
        NodeFile grown = NodeFile.combined(home).with("log.dirs=a,b");

        assertThatThrownBy(() -> open(grown))
                .hasMessage("log directory is not formatted while others are: directories=[" + home.resolve("b")
                        + "], format it with: bin/gregor format -t " + identity.clusterId() + " -c " + grown.file()
                        + " --ignore-formatted");
    }

    @Test
    void refusesMetadataOutsideTheMetadataDirectory() throws IOException {
        open(NodeFile.combined(home).with("log.dirs=a,b"));
        Files.createDirectories(home.resolve("b/__cluster_metadata-0"));

        assertThatThrownBy(() -> open(NodeFile.combined(home).with("log.dirs=a,b")))
                .hasMessageStartingWith("metadata log in a directory that is not the metadata directory: found="
                        + home.resolve("b/__cluster_metadata-0"));
    }

    @Test
    void givesOldDirectoriesAnId() throws IOException {
        Files.createDirectories(home.resolve("data"));
        Files.writeString(home.resolve("data/meta.properties"), "version=1\nnode.id=1\ncluster.id=abc\n");

        NodeIdentity identity = open(NodeFile.combined(home));

        assertThat(properties("data")).contains("directory.id=" + identity.metadataDirectoryId());
        assertThat(identity.clusterId()).isEqualTo("abc");
    }

    @Test
    void refusesAFileInPlaceOfADirectory() throws IOException {
        Files.writeString(home.resolve("data"), "");

        assertThatThrownBy(() -> open(NodeFile.combined(home)))
                .hasMessageStartingWith("log directory is not a directory: log.dirs has " + home.resolve("data"));
    }

    private static NodeIdentity open(NodeFile file) {
        return new LogDirectories(file.read(), file.file()).open();
    }

    private String properties(String directory) throws IOException {
        List<String> lines = Files.readAllLines(home.resolve(directory).resolve("meta.properties"));
        return String.join("\n", lines) + "\n";
    }
}
