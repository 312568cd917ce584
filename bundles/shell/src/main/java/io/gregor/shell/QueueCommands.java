package io.gregor.shell;

import io.gregor.internal.dispatch.DispatchView;
import io.gregor.shell.internal.ByRole;
import io.gregor.shell.internal.Table;
import java.util.List;
import java.util.Map;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Commands about the request channels. Shared: any thread. */
@Component(service = QueueCommands.class, immediate = true)
@ShellScope(scope = "queue", function = "show", example = "queue:show")
public final class QueueCommands {
    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Map.Entry<Map<String, Object>, DispatchView>> dispatchers = List.of();

    /** Shows them. */
    @Descriptor("request channels with waiting requests, handler threads and how many are busy")
    public String show() {
        Table table = new Table("ROLE", "WAITING", "CAPACITY", "HANDLER-THREADS", "BUSY");
        ByRole.sorted(dispatchers)
                .forEach((role, dispatch) -> table.add(
                        role,
                        dispatch.queueDepth(),
                        dispatch.queueCapacity(),
                        dispatch.handlerThreads(),
                        dispatch.busyHandlerThreads()));
        return table.draw();
    }
}
