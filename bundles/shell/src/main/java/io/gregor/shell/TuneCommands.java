package io.gregor.shell;

import io.gregor.internal.dispatch.DispatchView;
import io.gregor.internal.transport.TransportView;
import io.gregor.shell.internal.Arguments;
import io.gregor.shell.internal.ByRole;
import io.gregor.shell.internal.Machine;
import io.gregor.shell.internal.MachineReading;
import io.gregor.shell.internal.Readings;
import io.gregor.shell.internal.Syntax;
import io.gregor.shell.internal.TuningTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Shows what holds requests up. Shared: any thread. */
@Component(service = TuneCommands.class, immediate = true)
@ShellScope(scope = "tune", function = "show", example = "tune:show broker")
public final class TuneCommands {
    private static final Syntax SHOW = Syntax.of(TuneCommands.class, "tune", "show");

    private final MachineReading reading = new MachineReading();

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Map.Entry<Map<String, Object>, DispatchView>> dispatchers = List.of();

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Map.Entry<Map<String, Object>, TransportView>> transports = List.of();

    /** Shows it. */
    @Descriptor("figures of the last minute in the order to look at them, and which setting they point to")
    @Arguments("[ROLE]: broker or controller alone")
    public String show(String... typed) throws InterruptedException {
        Optional<String> wanted = SHOW.read(typed).find(0);
        Machine machine = reading.machine();
        SortedMap<String, TransportView> transportOf = ByRole.sorted(transports);
        SortedMap<String, Readings> readings = new TreeMap<>();
        ByRole.sorted(dispatchers).forEach((role, dispatch) -> {
            if (wanted.isEmpty() || wanted.get().equals(role)) {
                readings.put(role, readings(role, dispatch, transportOf.get(role), machine));
            }
        });
        if (readings.isEmpty()) {
            throw new IllegalArgumentException(
                    "no role=" + wanted.orElse("") + " here, node:show tells this node's roles");
        }
        return TuningTable.draw(readings);
    }

    private Readings readings(String role, DispatchView dispatch, @Nullable TransportView transport, Machine machine) {
        int processors = transport == null
                ? 0
                : transport.listeners().stream()
                        .mapToInt(TransportView.ListenerRow::processors)
                        .max()
                        .orElse(0);
        return new Readings(
                reading.requests(role),
                dispatch.figures(),
                dispatch.handlerThreads(),
                transport == null ? Double.NaN : transport.networkIdleRatio(),
                processors,
                machine);
    }
}
