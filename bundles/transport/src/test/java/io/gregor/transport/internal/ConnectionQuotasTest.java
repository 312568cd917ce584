package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.transport.internal.ConnectionQuotas.Limits;
import io.gregor.transport.internal.ConnectionQuotas.ListenerLimits;
import io.gregor.transport.internal.ConnectionQuotas.ListenerShare;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ListenerName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConnectionQuotasTest {
    private static final InetAddress ALICE = Addresses.of(1);
    private static final InetAddress BOB = Addresses.of(2);
    private static final ListenerLimits UNLIMITED = new ListenerLimits(100, Integer.MAX_VALUE);

    private final AtomicInteger told = new AtomicInteger();
    private final Runnable teller = told::incrementAndGet;
    private final Metrics metrics = new Metrics();
    private final ConnectionQuotas quotas = new ConnectionQuotas(
            new CreationRates(metrics, new ManualTime(), new MetricScope(false), new CreationRates.Window(11, 1)));
    private final Map<ListenerName, ListenerShare> shares = new HashMap<>();

    @AfterEach
    void close() {
        shares.values().forEach(ListenerShare::close);
        metrics.close();
    }

    @Test
    void holdsTheLimitOfTheRoleOverAllListeners() {
        limit(3);
        ListenerShare first = listener("FIRST", 100, false);
        ListenerShare second = listener("SECOND", 100, false);
        assertThat(take(first) && take(first) && take(second)).isTrue();

        assertThat(take(second)).isFalse();
        assertThat(take(first)).isFalse();
    }

    @Test
    void letsTheInterBrokerListenerInOverTheLimitOfTheRoleButNotOverItsOwn() {
        limit(1);
        ListenerShare clients = listener("CLIENTS", 100, false);
        ListenerShare brokers = listener("BROKERS", 2, true);
        assertThat(take(clients)).isTrue();

        assertThat(take(brokers)).isTrue();
        assertThat(take(brokers)).isTrue();
        assertThat(take(brokers)).isFalse();
    }

    @Test
    void holdsTheOnlyListenerToTheLimitEvenIfBrokersUseIt() {
        limit(1);
        ListenerShare only = listener("ONLY", 100, true);
        assertThat(take(only)).isTrue();
        assertThat(take(only)).isFalse();
    }

    @Test
    void protectsTheInterBrokerListenerNoLongerWhenTheOtherOneIsGone() {
        ListenerShare brokers = listener("BROKERS", 100, true);
        ListenerShare clients = listener("CLIENTS", 100, false);
        assertThat(brokers.isProtected()).isTrue();

        clients.close();
        shares.remove(ListenerName.normalised("CLIENTS"));

        assertThat(brokers.isProtected()).isFalse();
    }

    @Test
    void tellsThoseWhoWaitWhenAPlaceIsFreeAndOnlyOnce() {
        limit(1);
        ListenerShare share = listener("ONLY", 100, false);
        take(share);
        take(share);
        take(share);
        assertThat(told).hasValue(0);

        share.giveBackPlace();
        assertThat(told).hasValue(1);
        assertThat(take(share)).isTrue();

        share.giveBackPlace();
        assertThat(told).hasValue(1);
    }

    @Test
    void tellsThoseWhoWaitWhenALimitIsRaised() {
        limit(1);
        ListenerShare share = listener("ONLY", 100, false);
        take(share);
        take(share);

        limit(2);

        assertThat(told).hasValue(1);
        assertThat(take(share)).isTrue();
        assertThat(take(share)).isFalse();
    }

    @Test
    void countsEachAddressUpToItsOwnLimit() {
        quotas.limits(new Limits(100, Integer.MAX_VALUE, 1, Map.of(BOB, 2)), name -> UNLIMITED);
        ListenerShare share = listener("ONLY", 100, false);

        assertThat(share.tryAddress(ALICE)).isTrue();
        assertThat(share.tryAddress(ALICE)).isFalse();
        assertThat(share.tryAddress(BOB) && share.tryAddress(BOB)).isTrue();
        assertThat(share.tryAddress(BOB)).isFalse();
    }

    @Test
    void isEmptyAgainAfterEveryoneLeft() {
        quotas.limits(new Limits(100, Integer.MAX_VALUE, 1, Map.of()), name -> UNLIMITED);
        ListenerShare share = listener("ONLY", 100, false);
        for (int round = 0; round < 3; round++) {
            assertThat(take(share) && share.tryAddress(ALICE)).isTrue();
            assertThat(share.count()).isEqualTo(1);
            share.leave(ALICE, false);
        }
        assertThat(share.count()).isZero();
    }

    @Test
    void asksForAsManyConnectionsAsAreTooMany() {
        ListenerShare share = listener("ONLY", 100, false);
        for (int count = 0; count < 5; count++) {
            assertThat(take(share) && share.tryAddress(ALICE)).isTrue();
        }
        assertThat(quotas.isOver()).isFalse();

        limit(3);
        assertThat(quotas.isOver()).isTrue();
        assertThat(quotas.condemnOne() && quotas.condemnOne()).isTrue();
        assertThat(quotas.condemnOne()).isFalse();
        assertThat(quotas.isOver()).isFalse();

        share.leave(ALICE, true);
        share.leave(ALICE, true);
        assertThat(quotas.isOver()).isFalse();
        assertThat(take(share)).isFalse();
    }

    @Test
    void asksForFewerWhenSomeLeaveOfTheirOwnAccord() {
        ListenerShare share = listener("ONLY", 100, false);
        for (int count = 0; count < 5; count++) {
            assertThat(take(share) && share.tryAddress(ALICE)).isTrue();
        }
        limit(3);
        share.leave(ALICE, false);

        assertThat(quotas.condemnOne()).isTrue();
        assertThat(quotas.condemnOne()).isFalse();
    }

    private void limit(int maxConnections) {
        quotas.limits(new Limits(maxConnections, Integer.MAX_VALUE, 100, Map.of()), name -> UNLIMITED);
    }

    private ListenerShare listener(String name, int maxConnections, boolean isInterBroker) {
        ListenerName listener = ListenerName.normalised(name);
        ListenerShare share =
                quotas.addListener(listener, new ListenerLimits(maxConnections, Integer.MAX_VALUE), isInterBroker);
        shares.put(listener, share);
        return share;
    }

    private boolean take(ListenerShare share) {
        return share.tryTakePlace(teller);
    }
}
