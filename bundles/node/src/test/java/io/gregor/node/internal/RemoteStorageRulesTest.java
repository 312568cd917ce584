package io.gregor.node.internal;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.kafka.server.log.remote.metadata.storage.ClassLoaderAwareRemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.ClassLoaderAwareRemoteStorageManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The classes named are of Kafka's libraries; nothing makes one. */
class RemoteStorageRulesTest {
    private static final String STORAGE =
            "remote.log.storage.manager.class.name=" + ClassLoaderAwareRemoteStorageManager.class.getName();
    private static final String LISTENER = "remote.log.metadata.manager.listener.name=PLAINTEXT";

    @TempDir
    Path home;

    private NodeFile remote(String... more) {
        return NodeFile.combined(home)
                .with("remote.log.storage.system.enable=true", STORAGE, LISTENER)
                .with(more);
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(
                        "remote.log.storage.manager.class.name=a.B",
                        "remote.log.storage.manager.class.name=a.B must name a class of"),
                Arguments.of(
                        "remote.log.storage.manager.class.name=java.util.ArrayList",
                        "remote.log.storage.manager.class.name=java.util.ArrayList must name a class that implements"),
                Arguments.of(
                        "remote.log.metadata.manager.class.name=a.B",
                        "remote.log.metadata.manager.class.name=a.B must name a class of"),
                Arguments.of(
                        "remote.log.metadata.manager.listener.name=ELSE",
                        "remote.log.metadata.manager.listener.name=ELSE must be the name of one of the broker's listeners:"
                                + " [PLAINTEXT]"),
                Arguments.of(
                        "remote.log.metadata.manager.listener.name=CONTROLLER",
                        "remote.log.metadata.manager.listener.name=CONTROLLER must be the name of one of the broker's"),
                Arguments.of(
                        "log.local.retention.ms=604800001",
                        "log.local.retention.ms=604800001 must be -2 (the same as log.retention.ms) or 0 to"
                                + " log.retention.ms=604800000 (--override)"),
                Arguments.of(
                        "log.local.retention.ms=-1",
                        "log.local.retention.ms=-1 must be -2 (the same as log.retention.ms) or 0 to"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void refuses(String assignment, String message) {
        assertThatThrownBy(() -> remote(assignment).read())
                .isInstanceOf(StartRefused.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void refusesALocalPartThatIsBiggerThanAll() {
        assertThatThrownBy(() -> remote("log.retention.bytes=9", "log.local.retention.bytes=10")
                        .read())
                .hasMessage("log.local.retention.bytes=10 must be -2 (the same as log.retention.bytes) or 0 to"
                        + " log.retention.bytes=9 (--override)");
    }

    @Test
    void takesALocalPartOfWhatIsNeverDeleted() {
        assertThatCode(() -> remote("log.retention.ms=-1", "log.local.retention.ms=-1", "log.local.retention.bytes=5")
                        .read())
                .doesNotThrowAnyException();
    }

    @Test
    void doesNotLookAtTheLocalPartWithoutRemoteStorage() {
        assertThatCode(() -> NodeFile.combined(home)
                        .with("log.local.retention.ms=604800001")
                        .read())
                .doesNotThrowAnyException();
    }

    @Test
    void leavesAClassOfAClassPathToKafka() {
        assertThatCode(() -> remote(
                                "remote.log.storage.manager.class.name=a.B",
                                "remote.log.storage.manager.class.path=/some/where.jar")
                        .read())
                .doesNotThrowAnyException();
    }

    @Test
    void wantsAWayToThisNodeForTheTopicOfTheMetadata() {
        NodeFile without = NodeFile.combined(home).with("remote.log.storage.system.enable=true", STORAGE);

        assertThatThrownBy(without::read)
                .hasMessageStartingWith("remote.log.metadata.manager.listener.name= must be the name of one of")
                .hasMessageContaining("or give their rlmm.config.remote.log.metadata.common.client.bootstrap.servers");
        assertThatCode(() -> without.with(
                                "rlmm.config.remote.log.metadata.common.client.bootstrap.servers=127.0.0.1:9092")
                        .read())
                .doesNotThrowAnyException();
    }

    @Test
    void anotherMetadataPluginNeedsNoListener() {
        assertThatCode(() -> NodeFile.combined(home)
                        .with(
                                "remote.log.storage.system.enable=true",
                                STORAGE,
                                "remote.log.metadata.manager.class.name="
                                        + ClassLoaderAwareRemoteLogMetadataManager.class.getName())
                        .read())
                .doesNotThrowAnyException();
    }

    @Test
    void aControllerHasNoRemoteStorage() {
        assertThatCode(() -> NodeFile.combined(home)
                        .with(
                                "process.roles=controller",
                                "listeners=CONTROLLER://127.0.0.1:9093",
                                "remote.log.storage.system.enable=true")
                        .read())
                .doesNotThrowAnyException();
    }
}
