package io.gregor.shell;

import io.gregor.internal.dispatch.DispatchView;
import io.gregor.internal.dispatch.DispatchView.TrialRow;
import io.gregor.shell.internal.ApiName;
import io.gregor.shell.internal.ByRole;
import io.gregor.shell.internal.Table;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Commands about API handlers. Shared: any thread. */
@Component(service = HandlerCommands.class, immediate = true)
@ShellScope(scope = "handler", function = "list", example = "handler:list api~Topics")
public final class HandlerCommands {
    private static final String NONE = "-";

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Map.Entry<Map<String, Object>, DispatchView>> dispatchers = List.of();

    /** Lists them. */
    @Descriptor("API keys: versions, handler, its bundle, handlers behind it and on trial, filters, requests")
    public String list(@Descriptor("column=text, column~part of it, or a part of any column") String... filters) {
        Table table = new Table(
                "ROLE",
                "KEY",
                "API",
                "VERSIONS",
                "HANDLER",
                "BUNDLE",
                "BEHIND",
                "TRIAL",
                "FILTERS",
                "REQUESTS",
                "WAITING");
        ByRole.sorted(dispatchers).forEach((role, dispatch) -> dispatch.handlers()
                .forEach(row -> table.add(
                        role,
                        row.apiKey(),
                        ApiName.of(row.apiKey(), row.name()),
                        row.minVersion() + "-" + row.maxVersion(),
                        row.handler().isEmpty() ? NONE : shortName(row.handler()),
                        row.bundle().isEmpty() ? NONE : row.bundle(),
                        row.others(),
                        trial(row.trial()),
                        filters(row.filters()),
                        row.requests(),
                        row.waiting())));
        return table.matching(List.of(filters)).draw();
    }

    private static String trial(@Nullable TrialRow trial) {
        return trial == null ? NONE : trial.sharePercent() + "% " + shortName(trial.handler()) + " " + trial.bundle();
    }

    private static String filters(List<String> names) {
        return names.isEmpty()
                ? NONE
                : names.stream().map(HandlerCommands::shortName).collect(Collectors.joining(","));
    }

    private static String shortName(String component) {
        return component.substring(component.lastIndexOf('.') + 1);
    }
}
