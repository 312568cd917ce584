package io.gregor.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.testing.FakeNodeConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListenerWishTest {
    private static final String LISTENERS = "listeners";
    private static final String ADVERTISED = "advertised.listeners";
    private static final String PROTOCOLS = "listener.security.protocol.map";
    private static final String BOTH = "PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093";
    private static final String MAPPED = "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT";

    private final Map<String, String> file = new HashMap<>(Map.of(LISTENERS, BOTH, PROTOCOLS, MAPPED));
    private final Map<String, String> dynamic = new HashMap<>();

    @Test
    void addsToWhatIsThereAndLeavesUnsetAdvertisedListenersUnset() {
        Wish wish = wish("external").add("127.0.0.1:9094", Optional.of("PLAINTEXT"), Optional.empty(), Map.of());

        assertThat(wish.values())
                .containsOnly(
                        Map.entry(LISTENERS, BOTH + ",EXTERNAL://127.0.0.1:9094"),
                        Map.entry(PROTOCOLS, MAPPED.replace(",", ",EXTERNAL:PLAINTEXT,")));
    }

    @Test
    void writesAdvertisedListenersOutWhenOneIsToldAnotherAddressButNoControllers() {
        Wish wish = wish("PLAINTEXT2")
                .add("0.0.0.0:9094", Optional.of("plaintext"), Optional.of("broker1:19094"), Map.of());

        assertThat(wish.values()).containsEntry(ADVERTISED, "PLAINTEXT://127.0.0.1:9092,PLAINTEXT2://broker1:19094");
    }

    @Test
    void addsToAdvertisedListenersThatAreSet() {
        file.put(ADVERTISED, "PLAINTEXT://broker1:9092");

        Wish wish = wish("EXTERNAL").add("10.0.0.1:9094", Optional.of("SSL"), Optional.empty(), Map.of());

        assertThat(wish.values()).containsEntry(ADVERTISED, "PLAINTEXT://broker1:9092,EXTERNAL://10.0.0.1:9094");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0:9094", "[::]:9094"})
    void refusesToAdvertiseEveryAddress(String address) {
        assertThatThrownBy(() -> wish("EXTERNAL").add(address, Optional.of("SSL"), Optional.empty(), Map.of()))
                .hasMessageContaining("cannot be advertised as " + address)
                .hasMessageContaining("--advertised");
    }

    @Test
    void bindsAControllersListenerWithoutTellingClients() {
        file.put("controller.listener.names", "CONTROLLER,CONTROLLER2");
        file.put(ADVERTISED, "PLAINTEXT://broker1:9092");

        Wish wish = wish("CONTROLLER2").add(":9095", Optional.of("PLAINTEXT"), Optional.empty(), Map.of());

        assertThat(wish.values()).containsOnlyKeys(LISTENERS, PROTOCOLS);
    }

    @Test
    void namesAControllersListenerAmongTheControllersAndForgetsItAgain() {
        file.put("controller.listener.names", "CONTROLLER");

        store(wish("CONTROLLER2").addForControllers(":9095", Optional.of("PLAINTEXT"), Optional.empty(), Map.of()));
        assertThat(dynamic).containsOnlyKeys(LISTENERS, PROTOCOLS, "controller.listener.names");
        assertThat(dynamic).containsEntry("controller.listener.names", "CONTROLLER,CONTROLLER2");

        store(wish("CONTROLLER2").remove());
        assertThat(dynamic).isEmpty();
    }

    @Test
    void writesAnUnsetProtocolMapOutWithTheControllersWhenOneNeedsMore() {
        file.remove(PROTOCOLS);

        Wish plain = wish("PLAINTEXT2").add("127.0.0.1:9094", Optional.of("PLAINTEXT"), Optional.empty(), Map.of());
        Wish secure = wish("SSL").add("127.0.0.1:9094", Optional.empty(), Optional.empty(), Map.of());

        assertThat(plain.values().get(PROTOCOLS)).contains("CONTROLLER:PLAINTEXT", "PLAINTEXT2:PLAINTEXT", "SSL:SSL");
        assertThat(secure.values().get(PROTOCOLS)).contains("CONTROLLER:PLAINTEXT", "SSL:SSL");
    }

    @Test
    void givesANewListenerItsOwnSettings() {
        Wish wish = wish("EXTERNAL")
                .add("127.0.0.1:9094", Optional.of("SSL"), Optional.empty(), Map.of("max.connections", "7"));

        assertThat(wish.values()).containsEntry("listener.name.external.max.connections", "7");
    }

    @Test
    void neverGuessesASecurityProtocol() {
        assertThatThrownBy(() -> wish("EXTERNAL").add("127.0.0.1:9094", Optional.empty(), Optional.empty(), Map.of()))
                .hasMessageContaining("listener=EXTERNAL has no security protocol: give --protocol");
    }

    @Test
    void refusesAListenerThatIsThereAndOneThatIsNot() {
        assertThatThrownBy(() -> wish("plaintext").add("127.0.0.1:1", Optional.empty(), Optional.empty(), Map.of()))
                .hasMessageContaining("listener=PLAINTEXT is there already: PLAINTEXT://127.0.0.1:9092, listener:set");
        assertThatThrownBy(() -> wish("OTHER").remove())
                .hasMessageContaining("listener=OTHER is not there, there are PLAINTEXT, CONTROLLER");
        assertThatThrownBy(() -> wish("a.b")).hasMessageContaining("must be a name of letters");
    }

    @Test
    void forgetsWhatItAddedWhenTheListenerIsRemovedAgain() {
        store(wish("EXTERNAL")
                .add("0.0.0.0:9094", Optional.of("SSL"), Optional.of("broker1:9094"), Map.of("max.connections", "7")));
        assertThat(dynamic).hasSize(4);

        store(wish("EXTERNAL").remove());

        assertThat(dynamic).isEmpty();
    }

    @Test
    void storesTheRestWhenAListenerOfTheFileIsRemoved() {
        file.put(LISTENERS, BOTH + ",INTERNAL://127.0.0.1:9095");
        file.put(PROTOCOLS, MAPPED + ",INTERNAL:PLAINTEXT");
        file.put(ADVERTISED, "PLAINTEXT://broker1:9092,INTERNAL://127.0.0.1:9095");

        Wish wish = wish("INTERNAL").remove();

        assertThat(wish.values())
                .containsOnly(Map.entry(LISTENERS, BOTH), Map.entry(ADVERTISED, "PLAINTEXT://broker1:9092"));
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:9092, 127.0.0.1:9192, moves along with what is bound",
        "broker1:9092, broker1:9092, stays where clients are told another address"
    })
    void changesTheAddress(String told, String toldAfter, String what) {
        file.put(ADVERTISED, "PLAINTEXT://" + told);

        store(wish("PLAINTEXT").change(Map.of("address", "127.0.0.1:9192")));

        assertThat(dynamic.get(LISTENERS)).contains("PLAINTEXT://127.0.0.1:9192");
        assertThat(dynamic.getOrDefault(ADVERTISED, file.get(ADVERTISED)))
                .as(what)
                .isEqualTo("PLAINTEXT://" + toldAfter);
    }

    @Test
    void changesWhatClientsAreTold() {
        store(wish("PLAINTEXT").change(Map.of("advertised", "broker1:19092")));
        assertThat(dynamic).containsExactly(Map.entry(ADVERTISED, "PLAINTEXT://broker1:19092"));

        store(wish("PLAINTEXT").change(Map.of("advertised", "127.0.0.1:9092")));
        assertThat(dynamic).isEmpty();
    }

    @Test
    void changesProtocolAndOwnSettings() {
        Wish wish = wish("PLAINTEXT")
                .change(Map.of("protocol", "ssl", "listener.name.plaintext.ssl.client.auth", "required"));

        assertThat(wish.values())
                .containsOnly(
                        Map.entry(PROTOCOLS, "CONTROLLER:PLAINTEXT,PLAINTEXT:SSL"),
                        Map.entry("listener.name.plaintext.ssl.client.auth", "required"));
        assertThatThrownBy(() -> wish("PLAINTEXT").change(Map.of("listener.name.other.x", "y")))
                .hasMessageContaining("another listener's");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "localhost:", "localhost:70000", "local host:1", "x://y:1"})
    void refusesWhatIsNoAddress(String typed) {
        assertThatThrownBy(() -> wish("PLAINTEXT").change(Map.of("address", typed)))
                .hasMessageContaining("address=" + typed + " must be HOST:PORT");
    }

    private ListenerWish wish(String name) {
        Map<String, String> all = new HashMap<>(file);
        all.putAll(dynamic);
        return new ListenerWish(new Standing(FakeNodeConfig.of(all), FakeNodeConfig.of(file), dynamic, Map.of()), name);
    }

    private void store(Wish wish) {
        wish.values().forEach((key, value) -> dynamic.compute(key, (same, old) -> value));
    }
}
