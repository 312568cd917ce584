package io.gregor.plugins.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.node.Role;
import io.gregor.internal.plugin.BundleUse;
import io.gregor.internal.plugin.ServingBundles;
import io.gregor.internal.plugin.Standing;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoleStandingsTest {
    private final RoleStandings standings = new RoleStandings();
    private final List<Map<Long, Standing>> said = new ArrayList<>();

    @Test
    void aSwitchIsSaidInOneGoAndWhatIsLiveIsLeftOut() {
        standings.add(Role.BROKER, serving());
        standings.stand(Map.of(1L, Standing.HELD));

        standings.stand(Map.of(1L, Standing.LIVE, 2L, Standing.RETIRED));

        assertThat(said).containsExactly(Map.of(1L, Standing.HELD), Map.of(2L, Standing.RETIRED));
        assertThat(standings.of(1)).isEqualTo(Standing.LIVE);
        assertThat(standings.of(2)).isEqualTo(Standing.RETIRED);
    }

    @Test
    void aRoleThatComesLaterIsTold() {
        standings.stand(Map.of(1L, Standing.HELD));

        standings.add(Role.CONTROLLER, serving());

        assertThat(said).containsExactly(Map.of(1L, Standing.HELD));
        assertThat(standings.hasAll(Set.of(Role.CONTROLLER))).isTrue();
        assertThat(standings.hasAll(Set.of(Role.CONTROLLER, Role.BROKER))).isFalse();
    }

    @Test
    void whatLivesOnBundlesIsToldTooAndCountsAsInHand() {
        List<Map<Long, Standing>> told = new ArrayList<>();
        standings.stand(Map.of(1L, Standing.HELD));
        BundleUse use = new BundleUse() {
            @Override
            public long inUse(long bundleId) {
                return bundleId * 10;
            }

            @Override
            public void stand(Map<Long, Standing> now) {
                told.add(now);
            }
        };

        standings.add(use);
        standings.stand(Map.of(1L, Standing.LIVE, 2L, Standing.LEAVING));

        assertThat(told).containsExactly(Map.of(1L, Standing.HELD), Map.of(2L, Standing.LEAVING));
        assertThat(standings.inHand(2)).isEqualTo(20);
        standings.remove(use);
        assertThat(standings.inHand(2)).isZero();
    }

    @SuppressWarnings("unchecked")
    private ServingBundles serving() {
        return (ServingBundles) Proxy.newProxyInstance(
                ServingBundles.class.getClassLoader(),
                new Class<?>[] {ServingBundles.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "stand" -> {
                        said.add((Map<Long, Standing>) arguments[0]);
                        yield null;
                    }
                    case "equals" -> proxy == arguments[0];
                    case "hashCode" -> 1;
                    default -> throw new AssertionError(method);
                });
    }
}
