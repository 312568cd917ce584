package io.gregor.itest.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Everything at once, and nothing grows: what the node holds after a first part of the time, with the work at rest, is what it
 * holds at the end. Only with {@code -Dgregor.it.soak.seconds=1800}, for half an hour; it prints a line a minute. Short ones
 * prove nothing.
 */
@EnabledIfSystemProperty(named = SoakIT.SECONDS, matches = "\\d+")
class SoakIT {
    static final String SECONDS = "gregor.it.soak.seconds";

    private static final Duration WHOLE = Duration.ofSeconds(Long.getLong(SECONDS, 0));

    /** What has to be forgotten is forgotten by then. */
    private static final Duration LIMIT_TO_SETTLE = Duration.ofSeconds(90);

    private static final Map<String, String> SHORT = Map.of(
            "segment.bytes", "1048576",
            "retention.bytes", "4194304",
            "file.delete.delay.ms", "1000",
            "min.cleanable.dirty.ratio", "0.1");

    @TempDir
    Path home;

    @Test
    void nothingGrows() throws Exception {
        try (GregorProcess node = GregorProcess.start(
                home,
                "auto.create.topics.enable=false",
                "offsets.topic.num.partitions=4",
                "transaction.state.log.num.partitions=4",
                "share.coordinator.state.topic.num.partitions=4",
                "group.initial.rebalance.delay.ms=0",
                "log.retention.check.interval.ms=1000",
                "log.cleaner.backoff.ms=1000",
                "producer.id.expiration.ms=5000",
                "producer.id.expiration.check.interval.ms=1000",
                "transactional.id.expiration.ms=5000",
                "transaction.remove.expired.transaction.cleanup.interval.ms=1000",
                "quota.window.size.seconds=1")) {
            prepare(node);
            Workload workload = new Workload(works());

            workload.run(node, WHOLE.dividedBy(3), () -> print("first part", node));
            Footprint before = settled(node);
            workload.run(node, WHOLE.minus(WHOLE.dividedBy(3)), () -> print("second part", node));

            System.out.println("done: " + workload.done());
            System.out.println("before: " + before);
            assertThat(workload.faults()).isEmpty();
            assertThat(workload.done().values()).allMatch(count -> count > 0);
            AtomicReference<Footprint> after = new AtomicReference<>(before);
            await().atMost(LIMIT_TO_SETTLE).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
                after.set(Footprint.of(node));
                assertThat(after.get()).matches(now -> now.isFlatBeside(before), "flat beside " + before);
            });
            System.out.println("after: " + after.get());
        }
    }

    private static Map<String, Work> works() {
        Map<String, Work> works = new LinkedHashMap<>();
        works.put("produce", RecordWorks::produce);
        works.put("overwrite", RecordWorks::overwrite);
        works.put("transact", RecordWorks::transact);
        works.put("read-committed", RecordWorks::readCommitted);
        works.put("consume", RecordWorks::consume);
        works.put("produce-to-share", RecordWorks::produceToShare);
        works.put("share", RecordWorks::share);
        works.put("topics", NodeWorks::topics);
        works.put("changes", NodeWorks::changes);
        works.put("quotas", NodeWorks::quotas);
        works.put("connections", NodeWorks::connections);
        return works;
    }

    private static void prepare(GregorProcess node) throws Exception {
        try (Admin admin = NodeWorks.admin(node)) {
            admin.createTopics(List.of(
                            topic(RecordWorks.PLAIN, Map.of()),
                            topic(RecordWorks.COMPACTED, Map.of("cleanup.policy", "compact")),
                            topic(RecordWorks.TRANSACTIONAL, Map.of()),
                            topic(RecordWorks.SHARED, Map.of())))
                    .all()
                    .get();
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.GROUP, "soak-share"),
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
        }
    }

    private static NewTopic topic(String name, Map<String, String> settings) {
        Map<String, String> all = new LinkedHashMap<>(SHORT);
        all.putAll(settings);
        if (all.containsKey("cleanup.policy")) {
            all.remove("retention.bytes");
        }
        return new NewTopic(name, 2, (short) 1).configs(all);
    }

    /** With the work at rest, when it does not become less any more. */
    private static Footprint settled(GregorProcess node) {
        AtomicReference<Footprint> last = new AtomicReference<>(Footprint.of(node));
        await().atMost(LIMIT_TO_SETTLE).pollInterval(Duration.ofSeconds(3)).until(() -> {
            Footprint former = last.getAndSet(Footprint.of(node));
            Footprint now = last.get();
            return now.openFiles() >= former.openFiles() && now.beans() >= former.beans();
        });
        return last.get();
    }

    private static void print(String part, GregorProcess node) {
        System.out.println(part + ": " + Footprint.of(node));
    }
}
