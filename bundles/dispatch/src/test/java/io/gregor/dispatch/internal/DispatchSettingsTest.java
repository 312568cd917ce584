package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.node.GregorConfigs;
import io.gregor.internal.node.NodeConfig;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DispatchSettingsTest {
    private final RequestChannel channel = new RequestChannel(500);
    private final HandlerPool pool =
            new HandlerPool(channel, (message, fault) -> new RuntimeException(message, fault), new IdleTime());
    private final HandlerServices services = new HandlerServices();
    private final DispatchSettings settings = new DispatchSettings(pool, channel, services.registry);

    @AfterEach
    void close() {
        pool.close(Duration.ofSeconds(10));
    }

    @Test
    void changesNothingBeforeCommit() {
        pool.resize(2);

        PreparedChange prepared = settings.prepare(change(false, "num.io.threads", "4", "queued.max.requests", "9"));
        assertThat(pool.size()).isEqualTo(2);
        prepared.commit();

        assertThat(pool.size()).isEqualTo(4);
        assertThat(channel.capacity()).isEqualTo(9);
    }

    @Test
    void requestsWaitForHandlersAsLongAsItSays() {
        settings.prepare(change(false, "gregor.handler.swap.timeout.ms", "1234"))
                .commit();

        assertThat(settings.owns("gregor.handler.swap.timeout.ms")).isTrue();
        assertThat(services.gaps.timeoutMs()).isEqualTo(1234);
    }

    @Test
    void leavesAloneWhatDoesNotChange() {
        pool.resize(2);

        settings.prepare(change(false, "queued.max.requests", "9")).commit();

        assertThat(pool.size()).isEqualTo(2);
    }

    @Test
    void refusesMoreThanDoubleWithKafkasWords() {
        pool.resize(2);

        assertThatThrownBy(() -> settings.prepare(change(false, "num.io.threads", "5")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("Dynamic thread count update validation failed for num.io.threads=5, value should not be"
                        + " greater than double the current value 2");
    }

    @Test
    void storedValuesCountWhateverTheNumberOfNow() {
        pool.resize(2);

        settings.prepare(change(true, "num.io.threads", "5")).commit();

        assertThat(pool.size()).isEqualTo(5);
    }

    private static ConfigChange change(boolean isReplay, String... keysAndValues) {
        Map<String, String> changed = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            changed.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return new ConfigChange(config(Map.of()), config(changed), changed.keySet(), isReplay);
    }

    private static NodeConfig config(Map<String, String> changed) {
        Map<String, String> all = new HashMap<>(changed);
        all.putAll(Map.of("process.roles", "broker", "node.id", "1", "controller.listener.names", "C"));
        AbstractKafkaConfig values = new AbstractKafkaConfig(
                GregorConfigs.addTo(new ConfigDef(AbstractKafkaConfig.CONFIG_DEF)), all, Map.of(), false) {};
        return (NodeConfig) Proxy.newProxyInstance(
                NodeConfig.class.getClassLoader(),
                new Class<?>[] {NodeConfig.class},
                (proxy, method, arguments) -> values);
    }
}
