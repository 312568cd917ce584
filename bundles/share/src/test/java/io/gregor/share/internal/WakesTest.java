package io.gregor.share.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.purgatory.DelayedOperationKey;
import org.apache.kafka.server.share.fetch.DelayedShareFetchGroupKey;
import org.junit.jupiter.api.Test;

class WakesTest {
    private static final DelayedOperationKey KEY =
            new DelayedShareFetchGroupKey("g", new TopicIdPartition(Uuid.randomUuid(), 0, "t"));

    private final List<DelayedOperationKey> woken = new ArrayList<>();
    private final Wakes wakes = new Wakes(woken::add);

    @Test
    void wakesNobodyBeforeItIsRun() {
        wakes.add(KEY);
        assertThat(woken).isEmpty();

        wakes.run();

        assertThat(woken).containsExactly(KEY);
    }

    @Test
    void wakesInTheSameRunWhoIsAddedMeanwhile() {
        List<String> order = new ArrayList<>();
        wakes.later(() -> {
            order.add("begin");
            wakes.later(() -> order.add("added"));
            wakes.run();
            order.add("end");
        });

        wakes.run();

        assertThat(order).containsExactly("begin", "end", "added");
    }

    @Test
    void goesOnAfterAFault() {
        wakes.later(() -> {
            throw new IllegalStateException("fault of one");
        });
        wakes.add(KEY);

        wakes.run();
        wakes.add(KEY);
        wakes.run();

        assertThat(woken).containsExactly(KEY, KEY);
    }
}
