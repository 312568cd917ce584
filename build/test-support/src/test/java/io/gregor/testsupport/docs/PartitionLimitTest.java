package io.gregor.testsupport.docs;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.server.policy.CreateTopicPolicy.RequestMetadata;
import org.junit.jupiter.api.Test;

class PartitionLimitTest {
    private final PartitionLimit policy = new PartitionLimit();

    @Test
    void refusesMoreThanTheLimit() {
        assertThatThrownBy(() -> policy.validate(topic(PartitionLimit.LIMIT + 1)))
                .isInstanceOf(PolicyViolationException.class);
    }

    @Test
    void letsTheLimitPass() {
        assertThatCode(() -> policy.validate(topic(PartitionLimit.LIMIT))).doesNotThrowAnyException();
    }

    private static RequestMetadata topic(int partitions) {
        return new RequestMetadata("orders", partitions, (short) 1, null, Map.of());
    }
}
