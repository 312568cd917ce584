package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.transport.internal.ListenerPlan.Held;
import java.net.InetSocketAddress;
import java.util.List;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.Test;

class ListenerPlanTest {
    private static final String HOST = "127.0.0.1";

    @Test
    void aListenerThatStaysKeepsItsSocketAndANewOneIsBound() {
        ListenerPlan plan =
                ListenerPlan.of(List.of(held("A", HOST, 9092)), List.of(at("B", HOST, 9093), at("A", HOST, 9092)));

        assertThat(sockets(plan)).containsExactly("B<-new", "A<-A");
        assertThat(plan.removed()).isEmpty();
        assertThat(plan.leaving()).isEmpty();
    }

    @Test
    void listenersThatSwapPortsSwapSockets() {
        ListenerPlan plan = ListenerPlan.of(
                List.of(held("A", HOST, 9092), held("B", HOST, 9093)),
                List.of(at("A", HOST, 9093), at("B", HOST, 9092)));

        assertThat(sockets(plan)).containsExactly("A<-B", "B<-A");
        assertThat(plan.leaving()).isEmpty();
    }

    @Test
    void aListenerThatMovesToTheAddressOfAnotherLeavesItsOwnOnlyIfNobodyWantsIt() {
        ListenerPlan plan = ListenerPlan.of(
                List.of(held("A", HOST, 9092), held("B", HOST, 9093)),
                List.of(at("A", HOST, 9093), at("B", HOST, 9094)));

        assertThat(sockets(plan)).containsExactly("A<-B", "B<-new");
        assertThat(plan.removed()).isEmpty();
        assertThat(plan.leaving()).containsExactly("A");
    }

    @Test
    void theSocketOfARemovedListenerGoesToTheNewOneAtItsAddress() {
        ListenerPlan plan = ListenerPlan.of(List.of(held("A", HOST, 9092)), List.of(at("B", HOST, 9092)));

        assertThat(sockets(plan)).containsExactly("B<-A");
        assertThat(plan.removed()).containsExactly("A");
        assertThat(plan.leaving()).isEmpty();
    }

    @Test
    void theSamePortAtAnotherHostIsAnotherAddress() {
        ListenerPlan plan = ListenerPlan.of(List.of(held("A", HOST, 9092)), List.of(at("A", "", 9092)));

        assertThat(sockets(plan)).containsExactly("A<-new");
        assertThat(plan.leaving()).containsExactly("A");
    }

    @Test
    void twoNamesOfOneAddressAreTheSameAddress() {
        ListenerPlan plan = ListenerPlan.of(
                List.of(held("A", HOST, 9092), held("B", "", 9093)),
                List.of(at("A", "localhost", 9092), at("B", "0.0.0.0", 9093)));

        assertThat(sockets(plan)).containsExactly("A<-A", "B<-B");
    }

    @Test
    void aFreePortIsKeptByItsListenerAndGivenToNoOther() {
        Held free = new Held(at("A", HOST, 0), new InetSocketAddress(HOST, 41000));

        assertThat(sockets(ListenerPlan.of(List.of(free), List.of(at("A", HOST, 0)))))
                .containsExactly("A<-A");
        assertThat(sockets(ListenerPlan.of(List.of(free), List.of(at("A", HOST, 41000)))))
                .containsExactly("A<-A");
        assertThat(sockets(ListenerPlan.of(List.of(free), List.of(at("B", HOST, 0)))))
                .containsExactly("B<-new");
    }

    private static Held held(String name, String host, int port) {
        InetSocketAddress address = host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
        return new Held(at(name, host, port), address);
    }

    private static Endpoint at(String name, String host, int port) {
        return new Endpoint(name, SecurityProtocol.PLAINTEXT, host, port);
    }

    private static List<String> sockets(ListenerPlan plan) {
        return plan.places().stream()
                .map(place ->
                        place.endpoint().listener() + "<-" + place.socketOf().orElse("new"))
                .toList();
    }
}
