package io.gregor.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.dispatch.DispatchView;
import io.gregor.internal.dispatch.FilterRow;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.apache.felix.service.command.CommandSession;
import org.junit.jupiter.api.Test;

class FilterCommandsTest {
    private static final CommandSession SESSION = (CommandSession) Proxy.newProxyInstance(
            FilterCommandsTest.class.getClassLoader(), new Class<?>[] {CommandSession.class}, (p, m, a) -> null);

    private final FilterCommands commands = new FilterCommands();

    @Test
    void listsFiltersWithWhatTheySeeAndHowTheyDo() {
        commands.dispatchers = List.of(
                Map.entry(
                        Map.of("role", "broker"),
                        view(row("masking", FilterRow.State.IN, ""), row("audit", FilterRow.State.OUT, "it threw"))),
                Map.entry(Map.of("role", "controller"), view()));

        assertThat(commands.list().lines().skip(1).map(line -> line.replaceAll(" +", " ")
                        .trim()))
                .containsExactly(
                        "broker masking b 1.0.0 Produce,10000 EXTERNAL all 5 closed IN 4 1 2 100",
                        "broker audit b 1.0.0 Produce,10000 EXTERNAL all 5 closed OUT 4 1 2 100 it threw");
    }

    @Test
    void letsInAgainOnlyWhatIsOut() {
        commands.dispatchers = List.of(Map.entry(
                Map.of("role", "broker"),
                view(row("masking", FilterRow.State.IN, ""), row("audit", FilterRow.State.OUT, "it threw"))));

        assertThat(commands.reset(SESSION, "audit")).isEqualTo("filter=audit role=broker is in again");
        assertThatThrownBy(() -> commands.reset(SESSION, "masking"))
                .hasMessage("filter=masking cannot come in again: state=IN role=broker");
        assertThatThrownBy(() -> commands.reset(SESSION, "nobody")).hasMessageContaining("there is no filter");
    }

    private static FilterRow row(String name, FilterRow.State state, String reason) {
        return new FilterRow(
                name,
                "b 1.0.0",
                List.of(0, 10_000),
                5,
                List.of("EXTERNAL"),
                List.of(),
                "closed",
                state,
                reason,
                4,
                1,
                2_100,
                400);
    }

    private static DispatchView view(FilterRow... rows) {
        return (DispatchView) Proxy.newProxyInstance(
                FilterCommandsTest.class.getClassLoader(),
                new Class<?>[] {DispatchView.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "filterRows" -> List.of(rows);
                    case "tryAgain" ->
                        List.of(rows).stream()
                                .anyMatch(row -> row.name().equals(arguments[0]) && row.state() == FilterRow.State.OUT);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
