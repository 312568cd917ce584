package io.gregor.shell;

import io.gregor.internal.transport.TransportView;
import io.gregor.shell.internal.Address;
import io.gregor.shell.internal.Arguments;
import io.gregor.shell.internal.ByRole;
import io.gregor.shell.internal.ListenerWish;
import io.gregor.shell.internal.Syntax;
import io.gregor.shell.internal.Table;
import io.gregor.shell.internal.Wish;
import io.gregor.shell.internal.Words;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Commands about listeners. Shared: any thread. */
@Component(service = ListenerCommands.class, immediate = true)
@ShellScope(
        scope = "listener",
        function = {"list", "add", "remove", "set"},
        example = {
            "listener:list",
            "listener:add EXTERNAL 0.0.0.0:9094 --protocol PLAINTEXT --advertised broker1.example.com:9094",
            "listener:remove EXTERNAL",
            "listener:set EXTERNAL max.connections=1000"
        })
public final class ListenerCommands {
    private static final Syntax ADD = Syntax.of(ListenerCommands.class, "listener", "add");
    private static final Syntax REMOVE = Syntax.of(ListenerCommands.class, "listener", "remove");
    private static final Syntax SET = Syntax.of(ListenerCommands.class, "listener", "set");

    private final Changes changes;

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Map.Entry<Map<String, Object>, TransportView>> transports = List.of();

    /** Made by the service registry. */
    @Activate
    public ListenerCommands(@Reference Changes changes) {
        this.changes = changes;
    }

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
                        new Address(row.host(), row.port()),
                        row.state(),
                        row.processors(),
                        row.connections())));
        return table.draw();
    }

    /** Adds one. */
    @Descriptor("binds a listener, tells the cluster of it, and serves it")
    @Arguments({
        "NAME: the listener, as clients' metadata and the key listener.name.NAME. know it",
        "HOST:PORT: where it is bound; an empty HOST is every address of the machine, PORT 0 a free one",
        "[--protocol P]: PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL, if listener.security.protocol.map has none for it",
        "[--advertised HOST:PORT]: what clients are told, if it is not where it is bound",
        "[--set KEY=VALUE]...: a setting of the listener's own, as max.connections=1000",
        "[--controller]: for controllers: its name goes to the end of controller.listener.names",
        "[--dry-run]: tries it, port and all, changes nothing"
    })
    public String add(CommandSession session, String... typed) {
        Words words = ADD.read(typed);
        ListenerWish listener = new ListenerWish(changes.standing(), words.word(0));
        Optional<String> protocol = words.value("--protocol");
        Optional<String> advertised = words.value("--advertised");
        Map<String, String> settings = words.pairs(words.values("--set"));
        Wish wish = words.has("--controller")
                ? listener.addForControllers(words.word(1), protocol, advertised, settings)
                : listener.add(words.word(1), protocol, advertised, settings);
        return changes.apply(session, wish, words.has("--dry-run"));
    }

    /** Removes one. */
    @Descriptor("takes a listener away once every request that came over it has its answer, and prints the counts")
    @Arguments({
        "NAME: the listener; its own dynamic settings go with it",
        "[--dry-run]: tells whether it can be done, changes nothing"
    })
    public String remove(CommandSession session, String... typed) {
        Words words = REMOVE.read(typed);
        ListenerWish wish = new ListenerWish(changes.standing(), words.word(0));
        return changes.apply(session, wish.remove(), words.has("--dry-run"));
    }

    /** Changes one. */
    @Descriptor("changes a listener: where it is bound, what clients are told, its own settings")
    @Arguments({
        "NAME: the listener",
        "KEY=VALUE...: address=HOST:PORT, advertised=HOST:PORT, protocol=P, or a setting of its own",
        "[--dry-run]: tries it, changes nothing"
    })
    public String set(CommandSession session, String... typed) {
        Words words = SET.read(typed);
        ListenerWish wish = new ListenerWish(changes.standing(), words.word(0));
        return changes.apply(session, wish.change(words.pairs(words.from(1))), words.has("--dry-run"));
    }
}
