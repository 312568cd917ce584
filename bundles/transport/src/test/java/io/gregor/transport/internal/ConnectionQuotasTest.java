package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.transport.internal.ConnectionQuotas.Limits;
import io.gregor.transport.internal.ConnectionQuotas.ListenerShare;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ConnectionQuotasTest {
    private static final InetAddress ALICE = address(1);
    private static final InetAddress BOB = address(2);

    private final AtomicInteger told = new AtomicInteger();

    @Test
    void holdsTheLimitOfTheRoleOverAllListeners() {
        ConnectionQuotas quotas = quotas(3, 100);
        ListenerShare first = quotas.addListener(100, false);
        ListenerShare second = quotas.addListener(100, false);
        assertThat(take(first) && take(first) && take(second)).isTrue();

        assertThat(take(second)).isFalse();
        assertThat(take(first)).isFalse();
    }

    @Test
    void letsTheInterBrokerListenerInOverTheLimitOfTheRoleButNotOverItsOwn() {
        ConnectionQuotas quotas = quotas(1, 100);
        ListenerShare clients = quotas.addListener(100, false);
        ListenerShare brokers = quotas.addListener(2, true);
        assertThat(take(clients)).isTrue();

        assertThat(take(brokers)).isTrue();
        assertThat(take(brokers)).isTrue();
        assertThat(take(brokers)).isFalse();
    }

    @Test
    void holdsTheOnlyListenerToTheLimitEvenIfBrokersUseIt() {
        ListenerShare only = quotas(1, 100).addListener(100, true);
        assertThat(take(only)).isTrue();
        assertThat(take(only)).isFalse();
    }

    @Test
    void tellsThoseWhoWaitWhenAPlaceIsFreeAndOnlyOnce() {
        ListenerShare share = quotas(1, 100).addListener(100, false);
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
    void countsEachAddressUpToItsOwnLimit() {
        ConnectionQuotas quotas = new ConnectionQuotas(new Limits(100, 1, Map.of(BOB, 2)));
        ListenerShare share = quotas.addListener(100, false);

        assertThat(share.tryAddress(ALICE)).isTrue();
        assertThat(share.tryAddress(ALICE)).isFalse();
        assertThat(share.tryAddress(BOB) && share.tryAddress(BOB)).isTrue();
        assertThat(share.tryAddress(BOB)).isFalse();
    }

    @Test
    void isEmptyAgainAfterEveryoneLeft() {
        ListenerShare share = quotas(100, 1).addListener(100, false);
        for (int round = 0; round < 3; round++) {
            assertThat(take(share) && share.tryAddress(ALICE)).isTrue();
            assertThat(share.count()).isEqualTo(1);
            share.leave(ALICE);
        }
        assertThat(share.count()).isZero();
    }

    private boolean take(ListenerShare share) {
        return share.tryTakePlace(told::incrementAndGet);
    }

    private static ConnectionQuotas quotas(int maxConnections, int maxPerAddress) {
        return new ConnectionQuotas(new Limits(maxConnections, maxPerAddress, Map.of()));
    }

    private static InetAddress address(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
