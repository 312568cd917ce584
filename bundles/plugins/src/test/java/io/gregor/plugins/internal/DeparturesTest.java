package io.gregor.plugins.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.node.Role;
import io.gregor.internal.plugin.ServingBundles;
import io.gregor.testing.Fake;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Version;

class DeparturesTest {
    private static final long HURRY_AFTER_MS = 10_000;

    private long inHand;
    private long nowNs;
    private final Map<String, Integer> calls = new HashMap<>();
    private final PluginCalls plugins = new PluginCalls(PluginCalls.LIMIT);
    private final RoleStandings standings = new RoleStandings();
    private final Departures departures = new Departures(
            standings,
            new HeldServices(plugins),
            new Installation(Fake.of(BundleContext.class, Map.of()), plugins),
            Fake.of(Time.class, (proxy, method, arguments) -> nowNs),
            () -> HURRY_AFTER_MS);

    @BeforeEach
    void serve() {
        standings.add(
                Role.BROKER, Fake.of(ServingBundles.class, (proxy, method, arguments) -> serving(method.getName())));
    }

    @Test
    void isStoppedWhenNothingIsInHandAndOthersHaveLetGo() {
        departures.add(stock());

        assertThat(departures.look()).isEqualTo(20);
        assertThat(calls).doesNotContainKey("stop");

        assertThat(departures.look()).isEqualTo(Departures.NEVER);
        assertThat(calls).containsEntry("stop", 1);
    }

    @Test
    void isAskedToHurryOnceASecondWhenItTakesLongAndIsNeverStoppedBeforeItHasAnswered() {
        inHand = 1;
        departures.add(stock());
        assertThat(departures.look()).isEqualTo(20);
        passMs(HURRY_AFTER_MS - 1);
        assertThat(departures.look()).isEqualTo(20);
        assertThat(calls).doesNotContainKey("hurry");

        passMs(1);
        assertThat(departures.look()).isEqualTo(1_000);
        assertThat(departures.look()).isEqualTo(1_000);
        assertThat(calls).containsEntry("hurry", 2).doesNotContainKey("stop");

        inHand = 0;
        assertThat(departures.look()).isEqualTo(Departures.NEVER);
        assertThat(calls).containsEntry("stop", 1);
    }

    private void passMs(long ms) {
        nowNs += TimeUnit.MILLISECONDS.toNanos(ms);
    }

    private Object serving(String method) {
        calls.merge(method, 1, Integer::sum);
        return switch (method) {
            case "inHand" -> inHand;
            case "equals" -> true;
            case "hashCode" -> 1;
            default -> null;
        };
    }

    private PluginBundle stock() {
        return PluginBundle.ofStock(Fake.of(Bundle.class, (proxy, method, arguments) -> {
            calls.merge(method.getName(), 1, Integer::sum);
            return switch (method.getName()) {
                case "getBundleId" -> 7L;
                case "getVersion" -> new Version(1, 0, 0);
                case "getSymbolicName", "getLocation" -> "io.gregor.handlers-data";
                case "stop" -> null;
                default -> throw Fake.unexpected(method.getName());
            };
        }));
    }
}
