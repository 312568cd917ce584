package io.gregor.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.change.LiveConfig.Proposal;
import io.gregor.internal.change.LiveConfig.Scope;
import io.gregor.testing.FakeNodeConfig;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WishTest {
    private static final String THREADS = "num.io.threads";
    private static final String NETWORK = "num.network.threads";
    private static final String OF_LISTENER = "listener.name.external.num.network.threads";

    @Test
    void storesWhatDoesNotCountYet() {
        assertThat(wish(Map.of(), Map.of()).want(THREADS, "16").values()).containsExactly(Map.entry(THREADS, "16"));
    }

    @Test
    void needsNothingForWhatCounts() {
        assertThat(wish(Map.of(), Map.of()).want(THREADS, "8").isFulfilled()).isTrue();
        assertThat(wish(Map.of(THREADS, "16"), Map.of()).want(THREADS, "16").isFulfilled())
                .isTrue();
    }

    @Test
    void deletesItsOwnValueWhenTheFilesOrTheClustersIsWanted() {
        Map<String, String> deleted = new HashMap<>();
        deleted.put(THREADS, null);

        assertThat(wish(Map.of(THREADS, "16"), Map.of()).want(THREADS, "8").values())
                .isEqualTo(deleted);
        assertThat(wish(Map.of(THREADS, "16"), Map.of(THREADS, "12"))
                        .want(THREADS, "12")
                        .values())
                .isEqualTo(deleted);
    }

    @Test
    void keepsItsOwnValueAgainstTheClusters() {
        assertThat(wish(Map.of(), Map.of(THREADS, "12")).want(THREADS, "8").values())
                .containsExactly(Map.entry(THREADS, "8"));
    }

    @Test
    void takesAListenersValueFromTheKeyOfAllListeners() {
        assertThat(wish(Map.of(), Map.of()).want(OF_LISTENER, "3").isFulfilled())
                .isTrue();
        assertThat(wish(Map.of(NETWORK, "6"), Map.of()).want(OF_LISTENER, "3").values())
                .containsExactly(Map.entry(OF_LISTENER, "3"));
    }

    @Test
    void asksInTheNameOfWhoeverTypedIt() {
        Wish wish = wish(Map.of(THREADS, "16"), Map.of()).delete(THREADS).delete(NETWORK);

        Proposal proposal = wish.proposal(new Caller("jane"), true);

        assertThat(proposal.who()).isEqualTo("jane");
        assertThat(proposal.door()).isEqualTo("shell");
        assertThat(proposal.isDryRun()).isTrue();
        assertThat(proposal.values()).containsOnlyKeys(THREADS).containsValue(null);
    }

    @Test
    void showsValuesBeforeAndAfterButNoSecrets() {
        Wish wish = wish(Map.of(), Map.of(THREADS, "12"))
                .want(THREADS, "16")
                .set("ssl.keystore.password", "s3cret")
                .set("nobody.knows", "3")
                .set("nobody.knows.secret", "s3cret");

        assertThat(wish.preview().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "KEY CHANGE STORED",
                        "nobody.knows (none) -> 3 set for this node",
                        "nobody.knows.secret (none) -> [hidden] set for this node",
                        "num.io.threads 12 -> 16 set for this node",
                        "ssl.keystore.password (none) -> [hidden] set for this node");
    }

    @Test
    void showsOfListsOnlyWhatComesAndGoes() {
        assertThat(Wish.difference("a,b,c", "a, c,d")).isEqualTo("-b +d");
        assertThat(Wish.difference("a", "a,b")).isEqualTo("+b");
        assertThat(Wish.difference("(none)", "a,b")).isEqualTo("(none) -> a,b");
        assertThat(Wish.difference("8", "16")).isEqualTo("8 -> 16");
    }

    private static Wish wish(Map<String, String> ofNode, Map<String, String> ofCluster) {
        Map<String, String> now = new HashMap<>(ofCluster);
        now.putAll(ofNode);
        return new Wish(
                new Standing(FakeNodeConfig.of(now), FakeNodeConfig.of(Map.of()), ofNode, ofCluster), Scope.NODE);
    }
}
