package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.api.RequestHandler;
import io.gregor.internal.plugin.Standing;
import io.gregor.testing.FakeBundle;
import io.gregor.testing.FakeReference;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StandingsTest {
    private static final RequestHandler NOTHING = request -> {};
    private static final short KEY = 3;

    private final HandlerServices services = new HandlerServices();
    private final FakeBundle oldOne = new FakeBundle(11, "a");
    private final FakeBundle other = new FakeBundle(12, "b");
    private final FakeBundle newOne = new FakeBundle(13, "a");

    @Test
    void newestBundleOfANameServesWhateverStandsBetween() {
        services.add(oldOne, NOTHING, 0, KEY);
        services.add(other, NOTHING, 0, KEY);
        services.add(newOne, NOTHING, 0, KEY);

        assertThat(server()).isEqualTo(newOne.id());
        assertThat(api().others()).isEqualTo(2);
    }

    @Test
    void nameKeepsItsPlaceWhenItsOldBundleGoes() {
        FakeReference<RequestHandler> former = services.add(oldOne, NOTHING, 0, KEY);
        services.add(other, NOTHING, 0, KEY);
        services.add(newOne, NOTHING, 0, KEY);

        services.registry.remove(former);

        assertThat(server()).isEqualTo(newOne.id());
    }

    @Test
    void nameWithoutHandlersLosesItsPlace() {
        FakeReference<RequestHandler> former = services.add(oldOne, NOTHING, 0, KEY);
        services.add(other, NOTHING, 0, KEY);

        services.registry.remove(former);
        services.add(newOne, NOTHING, 0, KEY);

        assertThat(server()).isEqualTo(other.id());
    }

    @Test
    void rankingCountsMoreThanAge() {
        services.add(oldOne, NOTHING, 5, KEY);
        services.add(newOne, NOTHING, 0, KEY);

        assertThat(server()).isEqualTo(oldOne.id());
    }

    @Test
    void heldBundleDoesNotCount() {
        stand(newOne, Standing.HELD);
        services.add(oldOne, NOTHING, 0, KEY);
        services.add(newOne, NOTHING, 100, KEY, 10_000);

        assertThat(server()).isEqualTo(oldOne.id());
        assertThat(api().others()).isZero();
        assertThat(services.registry.table().find((short) 10_000)).isNull();
    }

    @Test
    void newOneTakesThePlaceOfTheOldOneInOneTable() {
        services.add(oldOne, NOTHING, 100, KEY);
        stand(newOne, Standing.HELD);
        services.add(newOne, NOTHING, 0, KEY);

        services.standings.replace(Map.of(newOne.id(), Standing.LIVE, oldOne.id(), Standing.RETIRED));
        assertThat(server()).isEqualTo(oldOne.id());
        services.registry.refresh();

        assertThat(server()).isEqualTo(newOne.id());
        assertThat(api().others()).isZero();
    }

    @Test
    void formerOneIsBackWhenTheOtherLeaves() {
        services.add(oldOne, NOTHING, 0, KEY);
        services.add(other, NOTHING, 100, KEY);

        stand(other, Standing.LEAVING);

        assertThat(server()).isEqualTo(oldOne.id());
    }

    @Test
    void bundleOnTrialStandsBesideWhoServes() {
        services.add(oldOne, NOTHING, 100, KEY);
        services.add(other, NOTHING, 0, KEY);
        stand(other, Standing.trial(30));

        assertThat(server()).isEqualTo(oldOne.id());
        assertThat(api().trial().handler().bundle().id()).isEqualTo(other.id());
        assertThat(api().trial().sharePercent()).isEqualTo(30);
        assertThat(api().others()).isZero();
    }

    @Test
    void bundleOnTrialServesAllOfAKeyThatNobodyElseServes() {
        services.add(other, NOTHING, 0, KEY);
        stand(other, Standing.trial(30));

        assertThat(server()).isEqualTo(other.id());
        assertThat(api().trial()).isNull();
    }

    private void stand(FakeBundle bundle, Standing standing) {
        services.standings.replace(Map.of(bundle.id(), standing));
        services.registry.refresh();
    }

    private long server() {
        return api().handler().bundle().id();
    }

    private ServedApi api() {
        return services.registry.table().find(KEY);
    }
}
