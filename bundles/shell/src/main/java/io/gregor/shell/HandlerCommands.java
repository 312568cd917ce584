package io.gregor.shell;

import io.gregor.internal.dispatch.DispatchView;
import io.gregor.shell.internal.ApiName;
import io.gregor.shell.internal.ByRole;
import io.gregor.shell.internal.Table;
import java.util.List;
import java.util.Map;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Commands about API handlers. Shared: any thread. */
@Component(service = HandlerCommands.class, immediate = true)
@ShellScope(scope = "handler", function = "list", example = "handler:list api~Topics")
public final class HandlerCommands {
    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Map.Entry<Map<String, Object>, DispatchView>> dispatchers = List.of();

    /** Lists them. */
    @Descriptor("API keys: versions, handler, its bundle, and how many handlers stand behind it")
    public String list(@Descriptor("column=text, column~part of it, or a part of any column") String... filters) {
        Table table = new Table("ROLE", "KEY", "API", "VERSIONS", "HANDLER", "BUNDLE", "BEHIND");
        ByRole.sorted(dispatchers).forEach((role, dispatch) -> dispatch.handlers()
                .forEach(row -> table.add(
                        role,
                        row.apiKey(),
                        ApiName.of(row.apiKey(), row.name()),
                        row.minVersion() + "-" + row.maxVersion(),
                        row.handler().substring(row.handler().lastIndexOf('.') + 1),
                        row.bundle(),
                        row.others())));
        return table.matching(List.of(filters)).draw();
    }
}
