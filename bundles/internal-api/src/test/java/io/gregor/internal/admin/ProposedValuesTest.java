package io.gregor.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.junit.jupiter.api.Test;

class ProposedValuesTest {
    private static final String LIST = "sasl.enabled.mechanisms";

    @Test
    void namesOnlyWhatIsChangedOneByOne() {
        assertThat(ProposedValues.changing(
                        List.of(SettingChange.set("a", "1"), change(OpType.DELETE, "b", null)),
                        Map.of("a", "0", "b", "2", "c", "3")))
                .containsExactly(entry("a", "1"), entry("b", null));
    }

    @Test
    void deletesAllElseWhenEverythingIsReplaced() {
        assertThat(ProposedValues.replacing(List.of(SettingChange.set("a", "1")), Map.of("a", "0", "b", "2")))
                .containsExactly(entry("a", "1"), entry("b", null));
    }

    @Test
    void appendsToWhatIsStoredWithoutRepeatingIt() {
        assertThat(ProposedValues.changing(List.of(change(OpType.APPEND, LIST, "PLAIN,GSSAPI")), Map.of(LIST, "PLAIN")))
                .containsExactly(entry(LIST, "PLAIN,GSSAPI"));
    }

    @Test
    void beginsWithKafkasDefaultWhereNothingIsStored() {
        assertThat(ProposedValues.changing(List.of(change(OpType.APPEND, LIST, "PLAIN")), Map.of()))
                .containsExactly(entry(LIST, "GSSAPI,PLAIN"));
        assertThat(ProposedValues.changing(List.of(change(OpType.SUBTRACT, LIST, "GSSAPI,PLAIN")), Map.of()))
                .containsExactly(entry(LIST, ""));
    }

    @Test
    void appendsToListsOnly() {
        assertThatThrownBy(
                        () -> ProposedValues.changing(List.of(change(OpType.APPEND, "num.io.threads", "1")), Map.of()))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("Config value append is not allowed for config key: num.io.threads");
        assertThatThrownBy(() -> ProposedValues.changing(List.of(change(OpType.SUBTRACT, "foo", "1")), Map.of()))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessage("Unknown config name: foo");
    }

    @Test
    void refusesAnOperationThatNobodyKnows() {
        assertThatThrownBy(() -> ProposedValues.changing(List.of(new SettingChange("a", (byte) 9, "1")), Map.of()))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("Unknown operations type 9");
    }

    private static SettingChange change(OpType type, String key, String value) {
        return new SettingChange(key, type.id(), value);
    }
}
