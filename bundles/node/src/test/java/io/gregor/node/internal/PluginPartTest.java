package io.gregor.node.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.api.NodeSettings.SettingsOwner;
import io.gregor.internal.change.LiveConfig.Outcome;
import io.gregor.internal.change.LiveConfig.Scope;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PluginPartTest {
    private static final String PREFIX = "example.masking.";
    private static final String FIELDS = "example.masking.fields";

    @TempDir
    Path home;

    private final Owner owner = new Owner();

    @Test
    void givesWhatTheFileHasAtOnce() {
        LiveRig rig = new LiveRig(home, NodeFile.combined(home).with(FIELDS + "=card", "example.other=x"));

        PluginPart.begin(PREFIX, owner, rig.values.current());

        assertThat(owner.has).containsExactly(Map.of(FIELDS, "card"));
    }

    @Test
    void letsTheOwnerRefuseWhatCountsAlready() {
        LiveRig rig = new LiveRig(home, NodeFile.combined(home).with(FIELDS + "=bad"));

        assertThatThrownBy(() -> PluginPart.begin(PREFIX, owner, rig.values.current()))
                .isInstanceOf(ConfigException.class);
    }

    @Test
    void givesAChangeWhenItIsStored() {
        LiveRig rig = LiveRig.running(home);
        own(rig);

        CompletableFuture<Outcome> outcome = rig.propose(Scope.NODE, FIELDS + "=card");
        rig.answerAnew(ApiError.NONE);
        assertThat(owner.has).containsExactly(Map.of());
        rig.seen(rig.stored().with(Scope.NODE, Map.of(FIELDS, "card")));

        assertThat(owner.has).containsExactly(Map.of(), Map.of(FIELDS, "card"));
        assertThat(outcome.join().error()).isEqualTo(ApiError.NONE);
        assertThat(rig.values.notApplied()).isEmpty();
    }

    @Test
    void givesAllItsValuesWithEachChange() {
        LiveRig rig = new LiveRig(home, NodeFile.combined(home).with(FIELDS + "=card"));
        rig.seen(StoredValues.NONE);
        own(rig);

        rig.change(Scope.CLUSTER, "example.masking.topics=orders");
        rig.change(Scope.NODE, "example.other=x");
        rig.change(Scope.CLUSTER, "-example.masking.topics");

        assertThat(owner.has)
                .containsExactly(
                        Map.of(FIELDS, "card"),
                        Map.of(FIELDS, "card", "example.masking.topics", "orders"),
                        Map.of(FIELDS, "card"));
    }

    @Test
    void whatTheOwnerRefusesIsNotStored() {
        LiveRig rig = LiveRig.running(home);
        own(rig);

        Outcome outcome = rig.propose(Scope.NODE, FIELDS + "=bad").join();

        assertThat(outcome.error()).isEqualTo(new ApiError(Errors.INVALID_REQUEST, FIELDS + "=bad is refused"));
        assertThat(owner.has).containsExactly(Map.of());
    }

    @Test
    void ownsWhatWasStoredWithoutAnOwner() {
        LiveRig rig = LiveRig.running(home);
        rig.change(Scope.NODE, FIELDS + "=card");
        assertThat(rig.values.notApplied()).containsKey(FIELDS);

        own(rig);

        assertThat(owner.has).containsExactly(Map.of(FIELDS, "card"));
        assertThat(rig.values.notApplied()).isEmpty();
    }

    @Test
    void missesNoChangeThatComesBeforeItIsKnown() {
        LiveRig rig = LiveRig.running(home);
        rig.change(Scope.NODE, FIELDS + "=card");
        PluginPart part = PluginPart.begin(PREFIX, owner, rig.values.current());

        rig.change(Scope.NODE, "-" + FIELDS);
        rig.reconfiguration.add(part);

        assertThat(owner.has).containsExactly(Map.of(FIELDS, "card"), Map.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "example", ".", "log.", "gregor.masking.", "ssl.", "listener.name.", "Ex."})
    void ownsNoKeysOfOthers(String prefix) {
        LiveRig rig = LiveRig.running(home);

        assertThatThrownBy(() -> PluginPart.begin(prefix, owner, rig.values.current()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("prefix=" + prefix);
    }

    private void own(LiveRig rig) {
        rig.reconfiguration.add(PluginPart.begin(PREFIX, owner, rig.values.current()));
    }

    /** Keeps what it was given, and refuses one value. */
    private static final class Owner implements SettingsOwner {
        final List<Map<String, String>> has = new ArrayList<>();

        @Override
        public Runnable prepare(Map<String, String> values) {
            if ("bad".equals(values.get(FIELDS))) {
                throw new ConfigException(FIELDS + "=bad is refused");
            }
            return () -> has.add(values);
        }
    }
}
