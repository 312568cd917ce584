package io.gregor.storage.internal;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles what a crash left behind between the two renames with which a moved log takes its predecessor's place: then there are
 * two of one name, and the log manager would not start. That in the directory which the metadata assigns is whole, the other is
 * to be deleted. Immutable.
 */
final class InterruptedSwaps {
    private static final Logger LOGGER = LoggerFactory.getLogger(InterruptedSwaps.class);

    private InterruptedSwaps() {}

    /**
     * Renames the logs that have been replaced, so that the log manager deletes them. Those of which none or more than one is
     * assigned are left for the log manager to complain of.
     *
     * @param logDirectories those that are online, not loaded yet
     * @param isAssigned whether a partition is to be in a log directory
     */
    static void settle(List<File> logDirectories, BiPredicate<TopicPartition, File> isAssigned) {
        Map<String, List<File>> byName = new LinkedHashMap<>();
        for (File directory : logDirectories) {
            File[] children = directory.listFiles(File::isDirectory);
            for (File child : children == null ? new File[0] : children) {
                byName.computeIfAbsent(child.getName(), name -> new ArrayList<>(1))
                        .add(child);
            }
        }
        byName.values().stream().filter(logs -> logs.size() > 1).forEach(logs -> settleOne(logs, isAssigned));
    }

    private static void settleOne(List<File> logs, BiPredicate<TopicPartition, File> isAssigned) {
        TopicPartition partition = partition(logs.get(0));
        if (partition == null) {
            return;
        }
        List<File> assigned = logs.stream()
                .filter(log -> isAssigned.test(partition, log.getParentFile()))
                .toList();
        if (assigned.size() != 1) {
            return;
        }
        for (File log : logs) {
            if (!log.equals(assigned.get(0))) {
                putAside(log.toPath(), partition, assigned.get(0));
            }
        }
    }

    private static void putAside(Path replaced, TopicPartition partition, File kept) {
        try {
            Files.move(replaced, replaced.resolveSibling(UnifiedLog.logDeleteDirName(partition)));
            LOGGER.info("log that was being replaced is deleted: directory={} replacedBy={}", replaced, kept);
        } catch (IOException e) {
            LOGGER.warn("log that was being replaced could not be put aside: directory={}", replaced, e);
        }
    }

    /** Null if the directory is not that of a log that serves. */
    private static @Nullable TopicPartition partition(File directory) {
        try {
            TopicPartition partition = UnifiedLog.parseTopicPartitionName(directory);
            return UnifiedLog.logDirName(partition).equals(directory.getName()) ? partition : null;
        } catch (KafkaException notALog) {
            return null;
        }
    }
}
