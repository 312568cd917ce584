package io.gregor.shell;

import io.gregor.internal.transport.TransportView;
import io.gregor.shell.internal.ApiName;
import io.gregor.shell.internal.ByRole;
import io.gregor.shell.internal.Span;
import io.gregor.shell.internal.Table;
import java.util.List;
import java.util.Map;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Commands about connections. Shared: any thread. */
@Component(service = ConnectionCommands.class, immediate = true)
@ShellScope(scope = "connection", function = "list", example = "connection:list client~kcat state=muted")
public final class ConnectionCommands {
    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Map.Entry<Map<String, Object>, TransportView>> transports = List.of();

    /** Lists them. */
    @Descriptor("connections with client, mute state, last API, bytes; those that fit all filters")
    public String list(@Descriptor("column=text, column~part of it, or a part of any column") String... filters) {
        Table table = new Table(
                "ROLE",
                "LISTENER",
                "PROCESSOR",
                "CONNECTION",
                "CLIENT",
                "PRINCIPAL",
                "STATE",
                "LAST-API",
                "IN",
                "OUT",
                "AGE",
                "IDLE");
        ByRole.sorted(transports).forEach((role, transport) -> transport
                .connections()
                .forEach(row -> table.add(
                        role,
                        row.listener(),
                        row.processor(),
                        row.id(),
                        row.client(),
                        row.principal(),
                        row.muteState(),
                        row.lastApiKey() < 0 ? "-" : ApiName.of(row.lastApiKey(), "api=" + row.lastApiKey()),
                        row.bytesIn(),
                        row.bytesOut(),
                        Span.text(row.ageMs()),
                        Span.text(row.idleMs()))));
        return table.matching(List.of(filters)).draw();
    }
}
