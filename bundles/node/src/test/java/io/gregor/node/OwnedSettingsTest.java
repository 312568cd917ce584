package io.gregor.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.api.NodeSettings.Owned;
import io.gregor.internal.change.LiveSettings;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeLiveConfig;
import io.gregor.testing.FakeNodeConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

class OwnedSettingsTest {
    private final List<LiveSettings> parts = new ArrayList<>();
    private final BundleContext context = Fake.of(BundleContext.class, (proxy, method, arguments) -> {
        if (method.getName().equals("registerService")) {
            return register((LiveSettings) arguments[1]);
        }
        throw Fake.unexpected(method.getName());
    });
    private final OwnedSettings settings = new OwnedSettings(
            context, new FakeLiveConfig(FakeNodeConfig.of(Map.of("example.a.x", "1", "example.b.x", "2"))));

    @Test
    void anOwnerIsAPartOfTheNodeFromTheFirstMomentOn() {
        List<Map<String, String>> has = new ArrayList<>();

        settings.own("example.a.", values -> () -> has.add(values));

        assertThat(has).containsExactly(Map.of("example.a.x", "1"));
        assertThat(parts).hasSize(1);
        assertThat(parts.get(0).owns("example.a.y")).isTrue();
        assertThat(parts.get(0).owns("example.b.x")).isFalse();
    }

    @Test
    void whoRefusesTheFirstValuesOwnsNothing() {
        assertThatThrownBy(() -> settings.own("example.a.", values -> {
                    throw new ConfigException("no");
                }))
                .isInstanceOf(ConfigException.class);

        assertThat(parts).isEmpty();
    }

    @Test
    void ownsUntilItIsClosed() {
        Owned a = settings.own("example.a.", values -> () -> {});
        settings.own("example.b.", values -> () -> {});

        a.close();
        a.close();

        assertThat(parts).hasSize(1);
        assertThat(parts.get(0).owns("example.b.x")).isTrue();
    }

    @Test
    void givesUpWhatItsBundleForgot() {
        settings.own("example.a.", values -> () -> {});
        settings.own("example.b.", values -> () -> {});

        settings.stop();

        assertThat(parts).isEmpty();
    }

    private ServiceRegistration<?> register(LiveSettings part) {
        parts.add(part);
        return Fake.of(ServiceRegistration.class, (proxy, method, arguments) -> {
            if (!method.getName().equals("unregister")) {
                throw Fake.unexpected(method.getName());
            }
            if (!parts.remove(part)) {
                throw new IllegalStateException("unregistered twice");
            }
            return null;
        });
    }
}
