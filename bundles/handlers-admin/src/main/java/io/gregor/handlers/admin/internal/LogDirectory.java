package io.gregor.handlers.admin.internal;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsPartition;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One log directory, as DescribeLogDirs shows it. Immutable.
 *
 * @param path the absolute path
 * @param isOnline whether the directory of a path has not failed
 * @param logs the logs in it that were asked for
 * @param current the log of a partition that serves now: that of a log being moved is behind it
 */
public record LogDirectory(
        Path path,
        Predicate<String> isOnline,
        List<UnifiedLog> logs,
        Function<TopicPartition, Optional<UnifiedLog>> current) {
    private static final Logger LOGGER = LoggerFactory.getLogger(LogDirectory.class);
    private static final long UNKNOWN_LAG = -1L;

    /** Its space and its partitions, or the error that keeps from telling them. */
    public DescribeLogDirsResult describe() {
        DescribeLogDirsResult result = new DescribeLogDirsResult().setLogDir(path.toString());
        try {
            if (!isOnline.test(path.toString())) {
                throw new KafkaStorageException("log directory is offline: logDir=" + path);
            }
            FileStore store = Files.getFileStore(path);
            return result.setTopics(topics())
                    .setTotalBytes(capped(store.getTotalSpace()))
                    .setUsableBytes(capped(store.getUsableSpace()));
        } catch (ApiException | IOException unreadable) {
            LOGGER.warn("log directory cannot be described: logDir={} reason={}", path, unreadable.getMessage());
            return result.setErrorCode(Errors.forException(unreadable).code());
        }
    }

    private List<DescribeLogDirsTopic> topics() {
        Map<String, List<UnifiedLog>> byTopic = logs.stream()
                .collect(Collectors.groupingBy(log -> log.topicPartition().topic(), TreeMap::new, Collectors.toList()));
        return byTopic.entrySet().stream()
                .map(topic -> new DescribeLogDirsTopic()
                        .setName(topic.getKey())
                        .setPartitions(
                                topic.getValue().stream().map(this::partition).toList()))
                .toList();
    }

    private DescribeLogDirsPartition partition(UnifiedLog log) {
        return new DescribeLogDirsPartition()
                .setPartitionIndex(log.topicPartition().partition())
                .setPartitionSize(log.size())
                .setOffsetLag(lag(log))
                .setIsFutureKey(log.isFuture());
    }

    private long lag(UnifiedLog log) {
        return current.apply(log.topicPartition())
                .map(serving -> log.isFuture()
                        ? serving.logEndOffset() - log.logEndOffset()
                        : Math.max(serving.highWatermark() - log.logEndOffset(), 0))
                .orElse(UNKNOWN_LAG);
    }

    /** File systems beyond 8 EiB report a negative number. */
    private static long capped(long bytes) {
        return bytes < 0 ? Long.MAX_VALUE : bytes;
    }
}
