package io.gregor.testsupport.docs;

import java.util.Map;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.server.policy.CreateTopicPolicy;
import org.osgi.service.component.annotations.Component;

/** The policy of {@code docs/write-a-plugin.md}. Immutable. */
@Component
public final class PartitionLimit implements CreateTopicPolicy {
    static final int LIMIT = 100;

    @Override
    public void validate(RequestMetadata topic) {
        if (topic.numPartitions() != null && topic.numPartitions() > LIMIT) {
            throw new PolicyViolationException("partitions=" + topic.numPartitions() + " must be <= " + LIMIT);
        }
    }

    @Override
    public void configure(Map<String, ?> values) {}

    @Override
    public void close() {}
}
