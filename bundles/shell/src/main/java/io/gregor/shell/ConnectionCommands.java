package io.gregor.shell;

import io.gregor.internal.transport.ConnectionControl;
import io.gregor.internal.transport.TransportView;
import io.gregor.internal.transport.TransportView.ConnectionRow;
import io.gregor.shell.internal.ApiName;
import io.gregor.shell.internal.Arguments;
import io.gregor.shell.internal.ByRole;
import io.gregor.shell.internal.Span;
import io.gregor.shell.internal.Syntax;
import io.gregor.shell.internal.Table;
import io.gregor.shell.internal.Words;
import java.util.List;
import java.util.Map;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Commands about connections. Shared: any thread. */
@Component(service = ConnectionCommands.class, immediate = true)
@ShellScope(
        scope = "connection",
        function = {"list", "kill"},
        example = {"connection:list client~kcat state=muted", "connection:kill 127.0.0.1:9092-127.0.0.1:60690-0-18"})
public final class ConnectionCommands {
    private static final Syntax KILL = Syntax.of(ConnectionCommands.class, "connection", "kill");

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Map.Entry<Map<String, Object>, TransportView>> transports = List.of();

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<ConnectionControl> controls = List.of();

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
                        state(row),
                        row.lastApiKey() < 0 ? "-" : ApiName.of(row.lastApiKey(), "api=" + row.lastApiKey()),
                        row.bytesIn(),
                        row.bytesOut(),
                        Span.text(row.ageMs()),
                        Span.text(row.idleMs()))));
        return table.matching(List.of(filters)).draw();
    }

    /** The state; with how long a quota still holds the connection back, if one does. */
    private static String state(ConnectionRow row) {
        return row.throttledMs() == 0 ? row.muteState() : row.muteState() + " for " + Span.text(row.throttledMs());
    }

    /** Closes one. */
    @Descriptor("closes a connection at once; its request in hand gets no answer")
    @Arguments({"CONNECTION: its id in connection:list", "[--dry-run]: tells whether it is there, closes nothing"})
    public String kill(CommandSession session, String... typed) {
        Words words = KILL.read(typed);
        String id = words.word(0);
        if (words.has("--dry-run") && isThere(id)) {
            return "connection=" + id + " would be closed";
        }
        if (!words.has("--dry-run") && controls.stream().anyMatch(control -> control.kill(id))) {
            return "connection=" + id + " closed";
        }
        throw new IllegalArgumentException("no connection=" + id + ", connection:list shows their ids");
    }

    private boolean isThere(String id) {
        return transports.stream()
                .flatMap(transport -> transport.getValue().connections().stream())
                .anyMatch(row -> row.id().equals(id));
    }
}
