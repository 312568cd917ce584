package io.gregor.node.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.node.NodeConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.network.ListenerReconfigurable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutgoingChannelsTest {
    private static final String STORE = "ssl.truststore.location";
    private static final String KEY = "listener.name.controller." + STORE;

    @TempDir
    Path home;

    private final List<Object> stores = new ArrayList<>();
    private final OutgoingChannels channels = new OutgoingChannels();
    private NodeConfig before;

    @BeforeEach
    void read() {
        before = NodeFile.combined(home).read();
    }

    @Test
    void aBuilderGetsTheSettingsOfItsListener() {
        channels.add(builder());

        var unused = channels.prepare(change("/a")).commit();

        assertThat(stores).containsExactly("/a");
        assertThat(channels.isReadAgain(KEY)).isTrue();
        assertThat(channels.owns("listener.name.plaintext." + STORE)).isFalse();
        assertThat(channels.owns("listener.name.controller.sasl.jaas.config")).isFalse();
    }

    @Test
    void whatABuilderRefusesIsRefused() {
        channels.add(builder());

        assertThatThrownBy(() -> channels.prepare(change("/broken"))).isInstanceOf(ConfigException.class);
        assertThat(stores).isEmpty();
    }

    @Test
    void aClosedBuilderOwnsNothing() {
        ListenerReconfigurable builder = builder();
        channels.add(builder);
        channels.remove(builder);

        assertThat(channels.owns(KEY)).isFalse();
    }

    private ConfigChange change(String store) {
        NodeConfig after = NodeFile.combined(home).with(KEY + "=" + store).read();
        return new ConfigChange(before, after, Set.of(KEY), false);
    }

    private ListenerReconfigurable builder() {
        return new ListenerReconfigurable() {
            @Override
            public ListenerName listenerName() {
                return new ListenerName("CONTROLLER");
            }

            @Override
            public Set<String> reconfigurableConfigs() {
                return Set.of(STORE);
            }

            @Override
            public void validateReconfiguration(Map<String, ?> values) {
                if ("/broken".equals(values.get(STORE))) {
                    throw new ConfigException("broken");
                }
            }

            @Override
            public void reconfigure(Map<String, ?> values) {
                stores.add(values.get(STORE));
            }

            @Override
            public void configure(Map<String, ?> values) {
                throw new AssertionError("it is configured already");
            }
        };
    }
}
