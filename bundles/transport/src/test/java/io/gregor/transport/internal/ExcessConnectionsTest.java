package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.transport.internal.ConnectionQuotas.Limits;
import io.gregor.transport.internal.ConnectionQuotas.ListenerLimits;
import io.gregor.transport.internal.ConnectionQuotas.ListenerShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ListenerName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ExcessConnectionsTest {
    private final Metrics metrics = new Metrics();
    private final ConnectionQuotas quotas = new ConnectionQuotas(
            new CreationRates(metrics, new ManualTime(), new MetricScope(false), new CreationRates.Window(11, 1)));
    private final ListenerShare share =
            quotas.addListener(ListenerName.normalised("CLIENTS"), new ListenerLimits(100, Integer.MAX_VALUE), false);
    private final List<Client> clients = new ArrayList<>();
    private final ExcessConnections excess = new ExcessConnections(quotas, clients::stream);

    private static final class Client implements ExcessConnections.Candidate {
        private final long lastActiveNs;
        private boolean isProtected;
        private boolean isEnding;
        private boolean isWaitedFor;
        private boolean isGone;
        private boolean isCondemned;

        Client(long lastActiveNs) {
            this.lastActiveNs = lastActiveNs;
        }

        @Override
        public boolean isProtected() {
            return isProtected;
        }

        @Override
        public boolean isEnding() {
            return isEnding;
        }

        @Override
        public boolean isWaitedFor() {
            return isWaitedFor;
        }

        @Override
        public long lastActiveNs() {
            return lastActiveNs;
        }

        @Override
        public boolean condemn() {
            boolean could = !isGone && !isCondemned;
            isCondemned = true;
            return could;
        }
    }

    @AfterEach
    void close() {
        share.close();
        metrics.close();
    }

    @Test
    void closesTheLeastRecentlyUsedAndNoMoreThanNeeded() {
        Client old = client(100);
        Client older = client(50);
        Client recent = client(300);
        limit(1);

        assertThat(condemned()).containsExactlyInAnyOrder(old, older);
        excess.closeIfOver();
        assertThat(recent.isCondemned).isFalse();
    }

    @Test
    void prefersOneThatClosesAlreadyAndSparesOneWhoseRequestIsInHand() {
        Client waiting = client(10);
        waiting.isWaitedFor = true;
        client(100);
        Client ending = client(500);
        ending.isEnding = true;
        limit(2);
        assertThat(condemned()).containsExactly(ending);

        limit(1);
        assertThat(condemned()).hasSize(2).doesNotContain(waiting);

        limit(0);
        assertThat(condemned()).contains(waiting);
    }

    @Test
    void sparesTheInterBrokerListenerWhateverTheExcess() {
        Client broker = client(10);
        broker.isProtected = true;
        Client other = client(100);
        limit(0);

        assertThat(condemned()).containsExactly(other);
        assertThat(quotas.isOver()).isTrue();
    }

    @Test
    void takesTheNextWhenOneIsGoneMeanwhile() {
        client(10).isGone = true;
        Client next = client(100);
        client(200);
        limit(2);

        assertThat(condemned()).contains(next);
        assertThat(quotas.isOver()).isFalse();
    }

    private Client client(long lastActiveNs) {
        assertThat(share.tryTakePlace(() -> {})).isTrue();
        Client client = new Client(lastActiveNs);
        clients.add(client);
        return client;
    }

    private List<Client> condemned() {
        excess.closeIfOver();
        return clients.stream().filter(client -> client.isCondemned).toList();
    }

    private void limit(int maxConnections) {
        quotas.limits(
                new Limits(maxConnections, Integer.MAX_VALUE, 100, Map.of()),
                name -> new ListenerLimits(100, Integer.MAX_VALUE));
    }
}
