package io.gregor.storage.internal;

import io.gregor.internal.storage.DirectoryRow;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.storage.internals.log.LogManager;
import org.apache.kafka.storage.internals.log.UnifiedLog;

/**
 * Describes the log directories. Immutable.
 *
 * @param paths as they are configured
 * @param ids of those that could be read at the start, by absolute path
 */
record ShownDirectories(List<Path> paths, Map<String, Uuid> ids, LogManager manager) {
    /** All of them, in the order of the configuration. */
    List<DirectoryRow> rows() {
        Map<String, List<UnifiedLog>> logs =
                manager.allLogs().stream().collect(Collectors.groupingBy(UnifiedLog::parentDir));
        return paths.stream()
                .map(path -> path.toFile().getAbsolutePath())
                .distinct()
                .map(path -> row(path, logs.getOrDefault(path, List.of())))
                .toList();
    }

    private DirectoryRow row(String path, List<UnifiedLog> logs) {
        int futures = (int) logs.stream().filter(UnifiedLog::isFuture).count();
        return new DirectoryRow(
                path,
                Optional.ofNullable(ids.get(path)),
                state(path),
                logs.size() - futures,
                logs.stream().mapToLong(UnifiedLog::size).sum(),
                futures);
    }

    private String state(String path) {
        if (!manager.isLogDirOnline(path)) {
            return "failed";
        }
        return manager.cordonedLogDirs().contains(path) ? "cordoned" : "online";
    }
}
