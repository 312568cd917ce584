package io.gregor.shell;

import io.gregor.internal.transport.TransportView;
import io.gregor.shell.internal.ByRole;
import io.gregor.shell.internal.Table;
import java.util.List;
import java.util.Map;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Commands about listeners. Shared: any thread. */
@Component(service = ListenerCommands.class, immediate = true)
@ShellScope(scope = "listener", function = "list", example = "listener:list")
public final class ListenerCommands {
    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Map.Entry<Map<String, Object>, TransportView>> transports = List.of();

    /** Lists them. */
    @Descriptor("listeners with address, state, number of processors and connections")
    public String list() {
        Table table = new Table("ROLE", "LISTENER", "PROTOCOL", "ADDRESS", "STATE", "PROCESSORS", "CONNECTIONS");
        ByRole.sorted(transports).forEach((role, transport) -> transport
                .listeners()
                .forEach(row -> table.add(
                        role,
                        row.name(),
                        row.protocol(),
                        row.host() + ":" + row.port(),
                        row.open() ? "open" : "bound",
                        row.processors(),
                        row.connections())));
        return table.draw();
    }
}
