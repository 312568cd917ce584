package io.gregor.internal.storage;

import java.util.Optional;
import org.apache.kafka.common.Uuid;

/**
 * A log directory, as it is shown. Immutable.
 *
 * @param path the absolute path
 * @param id empty for a directory that had failed before the node started
 * @param state {@code online}, {@code cordoned} (online, gets no new logs) or {@code failed}
 * @param partitions how many are served from it
 * @param bytes of all logs in it, those of {@code futures} too
 * @param futures how many partitions are on their way into it
 */
public record DirectoryRow(String path, Optional<Uuid> id, String state, int partitions, long bytes, int futures) {}
