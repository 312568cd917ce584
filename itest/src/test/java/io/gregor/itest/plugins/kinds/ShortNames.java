package io.gregor.itest.plugins.kinds;

import java.util.Map;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.server.policy.CreateTopicPolicy;

/** Topics have short names. */
public final class ShortNames implements CreateTopicPolicy {
    @Override
    public void configure(Map<String, ?> values) {}

    @Override
    public void validate(RequestMetadata topic) {
        if (topic.topic().length() > 12) {
            throw new PolicyViolationException("name too long: " + topic.topic());
        }
    }

    @Override
    public void close() {}
}
