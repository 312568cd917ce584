package io.gregor.quotas.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.testing.FakeNodeConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.quota.QuotaFactory;
import org.junit.jupiter.api.RepeatedTest;

class HeldClientsTest {
    /** Kafka's reaper may be anywhere when its work is taken over: it has just begun, or it waits already. */
    @RepeatedTest(50)
    void nobodyIsCountedBeforeSomebodyIsHeldBack() {
        Metrics metrics = new Metrics();
        QuotaFactory.QuotaManagers managers =
                QuotaFactory.instantiate(FakeNodeConfig.of().values(), metrics, Time.SYSTEM, "test-", "broker");
        ManagedQuotas quotas = new ManagedQuotas(managers, metrics, "test-", Time.SYSTEM);
        for (String type : new String[] {"Produce", "Fetch", "Request", "ControllerMutation"}) {
            assertThat(metrics.metric(metrics.metricName("queue-size", type)).metricValue())
                    .as(type)
                    .isEqualTo(0.0);
        }
        quotas.close();
        metrics.close();
    }
}
