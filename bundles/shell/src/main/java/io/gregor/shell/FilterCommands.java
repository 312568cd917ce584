package io.gregor.shell;

import io.gregor.internal.dispatch.DispatchView;
import io.gregor.internal.dispatch.FilterRow;
import io.gregor.shell.internal.ApiName;
import io.gregor.shell.internal.Arguments;
import io.gregor.shell.internal.ByRole;
import io.gregor.shell.internal.Syntax;
import io.gregor.shell.internal.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Commands about the filters of requests and responses. Shared: any thread. */
@Component(service = FilterCommands.class, immediate = true)
@ShellScope(
        scope = "filter",
        function = {"list", "reset"},
        example = {"filter:list state=out", "filter:reset com.example.masking.MaskingFilter"})
public final class FilterCommands {
    private static final Syntax RESET = Syntax.of(FilterCommands.class, "filter", "reset");
    private static final double NS_PER_US = 1_000;
    private static final String ALL = "all";

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Map.Entry<Map<String, Object>, DispatchView>> dispatchers = List.of();

    /** Lists them. */
    @Descriptor("filters, the one next to the client first: what they see, whether they are in, their calls and faults")
    public String list(@Descriptor("column=text, column~part of it, or a part of any column") String... filters) {
        Table table = new Table(
                "ROLE",
                "FILTER",
                "BUNDLE",
                "APIS",
                "LISTENERS",
                "PRINCIPALS",
                "RANKING",
                "FAILS",
                "STATE",
                "CALLS",
                "FAULTS",
                "MEAN-US",
                "BYTES-PER-CALL",
                "REASON");
        ByRole.sorted(dispatchers).forEach((role, view) -> view.filterRows()
                .forEach(row -> table.add(
                        role,
                        row.name(),
                        row.bundle(),
                        apis(row),
                        some(row.listeners()),
                        some(row.principals()),
                        row.ranking(),
                        row.fails(),
                        row.state(),
                        row.calls(),
                        row.faults(),
                        Math.round(row.meanNs() / NS_PER_US),
                        row.calls() == 0 ? 0 : row.allocatedBytes() / row.calls(),
                        row.reason())));
        return table.matching(List.of(filters)).draw();
    }

    /** Tries one again. */
    @Descriptor("lets a filter in again that was put out, its faults forgotten")
    @Arguments("NAME: the filter, as in filter:list; one with wrong properties stays out")
    public String reset(CommandSession session, String... typed) {
        String name = RESET.read(typed).word(0);
        List<String> done = new ArrayList<>();
        List<String> known = new ArrayList<>();
        ByRole.sorted(dispatchers).forEach((role, view) -> {
            if (view.tryAgain(name)) {
                done.add("filter=" + name + " role=" + role + " is in again");
            }
            view.filterRows().stream()
                    .filter(row -> row.name().equals(name))
                    .map(row -> "state=" + row.state() + " role=" + role + reason(row))
                    .forEach(known::add);
        });
        if (!done.isEmpty()) {
            return String.join("\n", done);
        }
        throw new IllegalArgumentException(
                known.isEmpty()
                        ? "there is no filter of this name: filter=" + name + "; filter:list shows them"
                        : "filter=" + name + " cannot come in again: " + String.join("; ", known));
    }

    private static String reason(FilterRow row) {
        return row.reason().isEmpty() ? "" : " reason: " + row.reason();
    }

    private static String apis(FilterRow row) {
        return row.keys().stream()
                .map(key -> ApiName.of(key, Objects.toString(key)))
                .collect(Collectors.joining(","));
    }

    private static String some(List<String> names) {
        return names.isEmpty() ? ALL : String.join(",", names);
    }
}
