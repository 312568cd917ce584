package io.gregor.metadata.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.server.util.FileLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetadataDirectoryTest {
    @TempDir
    Path directory;

    @Test
    void locksTheDirectoryOfANodeWithoutLogs() throws IOException {
        try (MetadataDirectory opened = new MetadataDirectory(node(Set.of(Role.CONTROLLER), directory))) {
            assertThat(opened.folder()).isDirectory().hasName("__cluster_metadata-0");
            assertThat(isLocked()).isTrue();
        }
        assertThat(isLocked()).isFalse();
    }

    @Test
    void leavesTheLockOfALogDirectoryToItsLogManager() throws IOException {
        try (MetadataDirectory opened = new MetadataDirectory(node(Set.of(Role.BROKER, Role.CONTROLLER), directory))) {
            assertThat(opened.folder()).isDirectory();
            assertThat(isLocked()).isFalse();
        }
    }

    @Test
    void locksADirectoryThatIsNoLogDirectory() throws IOException {
        Path logs = directory.resolveSibling("logs");
        try (MetadataDirectory opened = new MetadataDirectory(node(Set.of(Role.BROKER), logs))) {
            assertThat(opened.folder()).isDirectory();
            assertThat(isLocked()).isTrue();
        }
    }

    @Test
    void saysWhichDirectoryIsLockedByWhom() throws IOException {
        FileLock other = new FileLock(directory.resolve(".lock").toFile());
        other.tryLock();
        try {
            assertThatThrownBy(() -> new MetadataDirectory(node(Set.of(Role.CONTROLLER), directory)))
                    .isInstanceOf(KafkaException.class)
                    .hasMessageContaining("metadata.log.dir=" + directory)
                    .hasMessageContaining("another process");
        } finally {
            other.destroy();
        }
    }

    private boolean isLocked() throws IOException {
        FileLock probe = new FileLock(directory.resolve(".lock").toFile());
        try {
            return !probe.tryLock();
        } finally {
            probe.destroy();
        }
    }

    private NodeConfig node(Set<Role> roles, Path logs) {
        return (NodeConfig) Proxy.newProxyInstance(
                NodeConfig.class.getClassLoader(),
                new Class<?>[] {NodeConfig.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "roles" -> roles;
                    case "metadataLogDir" -> directory;
                    case "logDirs" -> List.of(logs);
                    default -> throw new UnsupportedOperationException(method.toString());
                });
    }
}
