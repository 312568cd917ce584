package io.gregor.replication.internal;

import io.gregor.internal.storage.Logs;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsPartition;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeLogDirsResponse;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the log directories and what is in them, for DescribeLogDirs. Shared: any thread. */
final class DirectoryReport {
    private static final Logger LOGGER = LoggerFactory.getLogger(DirectoryReport.class);

    private final Logs logs;
    private final Partitions partitions;
    private final List<Path> directories;

    DirectoryReport(Logs logs, Partitions partitions, List<Path> directories) {
        this.logs = logs;
        this.partitions = partitions;
        this.directories = List.copyOf(directories);
    }

    /** One result a configured directory, online or not, with the logs of the chosen partitions. */
    List<DescribeLogDirsResult> describe(Predicate<TopicPartition> chosen) {
        Map<String, List<UnifiedLog>> byDirectory = new LinkedHashMap<>();
        for (UnifiedLog log : logs.manager().allLogs()) {
            byDirectory
                    .computeIfAbsent(log.parentDir(), directory -> new ArrayList<>())
                    .add(log);
        }
        List<DescribeLogDirsResult> results = new ArrayList<>();
        for (Path directory : directories) {
            results.add(describe(directory.toAbsolutePath(), byDirectory, chosen));
        }
        return results;
    }

    private DescribeLogDirsResult describe(
            Path directory, Map<String, List<UnifiedLog>> byDirectory, Predicate<TopicPartition> chosen) {
        String path = directory.toString();
        DescribeLogDirsResult result = new DescribeLogDirsResult().setLogDir(path);
        try {
            if (!logs.manager().isLogDirOnline(path)) {
                throw new KafkaStorageException("log directory is offline: directory=" + path);
            }
            FileStore store = Files.getFileStore(directory);
            return result.setErrorCode(Errors.NONE.code())
                    .setTotalBytes(knownSize(store.getTotalSpace()))
                    .setUsableBytes(knownSize(store.getUsableSpace()))
                    .setIsCordoned(logs.manager().cordonedLogDirs().contains(path))
                    .setTopics(topics(byDirectory.getOrDefault(path, List.of()), chosen));
        } catch (KafkaStorageException e) {
            LOGGER.warn("unable to describe replica dirs: directory={}", path);
            return result.setErrorCode(Errors.KAFKA_STORAGE_ERROR.code());
        } catch (IOException | RuntimeException e) {
            LOGGER.error("unable to describe replica dirs: directory={}", path, e);
            return result.setErrorCode(Errors.forException(e).code());
        }
    }

    /** Some file systems tell a size so large that it overflows. */
    private static long knownSize(long bytes) {
        return bytes < 0 ? Long.MAX_VALUE : bytes;
    }

    private List<DescribeLogDirsTopic> topics(List<UnifiedLog> inDirectory, Predicate<TopicPartition> chosen) {
        Map<String, DescribeLogDirsTopic> topics = new LinkedHashMap<>();
        for (UnifiedLog log : inDirectory) {
            if (chosen.test(log.topicPartition())) {
                topics.computeIfAbsent(log.topicPartition().topic(), name -> new DescribeLogDirsTopic().setName(name))
                        .partitions()
                        .add(new DescribeLogDirsPartition()
                                .setPartitionIndex(log.topicPartition().partition())
                                .setPartitionSize(log.size())
                                .setOffsetLag(lag(log))
                                .setIsFutureKey(log.isFuture()));
            }
        }
        return new ArrayList<>(topics.values());
    }

    /** How far a log is behind what it follows: the current log for a future one, else the high watermark. */
    private long lag(UnifiedLog log) {
        Partition partition = partitions.online(log.topicPartition());
        UnifiedLog current = partition == null ? null : partition.log();
        if (current == null) {
            return DescribeLogDirsResponse.INVALID_OFFSET_LAG;
        }
        return log.isFuture()
                ? current.logEndOffset() - log.logEndOffset()
                : Math.max(current.highWatermark() - log.logEndOffset(), 0);
    }
}
