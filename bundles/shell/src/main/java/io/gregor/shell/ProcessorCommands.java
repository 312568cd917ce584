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

/** Commands about processors, the network threads. Shared: any thread. */
@Component(service = ProcessorCommands.class, immediate = true)
@ShellScope(scope = "processor", function = "list", example = "processor:list")
public final class ProcessorCommands {
    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Map.Entry<Map<String, Object>, TransportView>> transports = List.of();

    /** Lists them. */
    @Descriptor("network threads with their connections and unsent responses")
    public String list() {
        Table table = new Table("ROLE", "PROCESSOR", "LISTENER", "CONNECTIONS", "RESPONSES", "THREAD");
        ByRole.sorted(transports).forEach((role, transport) -> transport
                .processors()
                .forEach(row ->
                        table.add(role, row.id(), row.listener(), row.connections(), row.queued(), row.thread())));
        return table.draw();
    }
}
