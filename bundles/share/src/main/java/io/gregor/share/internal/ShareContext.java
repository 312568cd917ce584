package io.gregor.share.internal;

import io.gregor.internal.replication.Replicas;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.share.dlq.ShareGroupDLQManager;
import org.apache.kafka.server.share.metrics.ShareGroupMetrics;
import org.apache.kafka.server.share.persister.Persister;
import org.apache.kafka.server.util.timer.Timer;

/**
 * What every share partition needs of its broker. Immutable.
 *
 * @param locks the timer of the times that members have for records
 */
record ShareContext(
        Replicas replicas,
        Persister persister,
        ShareSettings settings,
        ShareGroupDLQManager deadLetters,
        ShareGroupMetrics metrics,
        Timer locks,
        Time time,
        Wakes wakes) {}
