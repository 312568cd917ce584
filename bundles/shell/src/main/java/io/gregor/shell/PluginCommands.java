package io.gregor.shell;

import io.gregor.internal.dispatch.DispatchView;
import io.gregor.internal.dispatch.FilterRow;
import io.gregor.internal.plugin.Plugins;
import io.gregor.internal.plugin.Plugins.Outcome;
import io.gregor.shell.internal.Arguments;
import io.gregor.shell.internal.ByRole;
import io.gregor.shell.internal.Caller;
import io.gregor.shell.internal.PluginText;
import io.gregor.shell.internal.Syntax;
import io.gregor.shell.internal.TrialTerms;
import io.gregor.shell.internal.Waiting;
import io.gregor.shell.internal.Words;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Commands about plugins. Shared: any thread. */
@Component(service = PluginCommands.class, immediate = true)
@ShellScope(
        scope = "plugin",
        function = {"list", "show", "try", "keep", "remove"},
        example = {
            "plugin:list state=broken",
            "plugin:show com.example.masking",
            "plugin:try /opt/new/masking-1.1.0.jar --share 10% --for 30m",
            "plugin:keep com.example.masking",
            "plugin:remove com.example.masking"
        })
public final class PluginCommands {
    private static final Syntax SHOW = Syntax.of(PluginCommands.class, "plugin", "show");
    private static final Syntax TRY = Syntax.of(PluginCommands.class, "plugin", "try");
    private static final Syntax KEEP = Syntax.of(PluginCommands.class, "plugin", "keep");
    private static final Syntax REMOVE = Syntax.of(PluginCommands.class, "plugin", "remove");
    private static final Duration PROGRESS = Duration.ofMillis(500);

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    volatile @Nullable Plugins plugins;

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Map.Entry<Map<String, Object>, DispatchView>> dispatchers = List.of();

    /** Lists them. */
    @Descriptor("plugins with version, state, requests, errors, time, memory; of those that cannot be used the reason")
    public String list(@Descriptor("column=text, column~part of it, or a part of any column") String... filters) {
        return text().list(List.of(filters));
    }

    /** Shows one. */
    @Descriptor("a plugin: its services one by one, its figures by role, how its trial goes")
    @Arguments("NAME: its symbolic name or the name of its file, as in plugin:list")
    public String show(CommandSession session, String... words) {
        return text().details(SHOW.read(words).word(0));
    }

    /** Tries one. */
    @Descriptor("puts a jar on trial for a share of the connections; over a limit it is taken out again by itself")
    @Arguments({
        "FILE: the jar, with its whole path on the node's machine",
        "[--share N%]: so many of 100 connections, 10% if nothing is said; with --for alone 100%",
        "[--for TIME]: after so long, as 90s, 10m or 2h, it is kept if it has held its limits; else it goes on",
        "[--max-errors N%]: by so much more of its requests than of the former's may end with an error, 1% if nothing is said",
        "[--max-latency Nx]: so many times as long as the former may it take to answer, 2x if nothing is said"
    })
    public String _try(CommandSession session, String... typed) {
        Words words = TRY.read(typed);
        Path jar = Path.of(words.word(0));
        if (!jar.isAbsolute()) {
            throw new IllegalArgumentException(
                    "FILE=" + jar + " must be a whole path, it is the node that reads it: begin it with /");
        }
        return done(session, jar.toString(), present().trial(jar.normalize(), TrialTerms.of(words), caller(session)));
    }

    /** Keeps one. */
    @Descriptor("ends a trial well: the plugin serves all connections, and its jar goes to deploy/")
    @Arguments("NAME: the plugin on trial, as in plugin:list")
    public String keep(CommandSession session, String... typed) {
        String name = KEEP.read(typed).word(0);
        return done(session, name, present().keep(name, caller(session)));
    }

    /** Removes one. */
    @Descriptor("takes a plugin out, on trial or not; the former behaviour is back, its jar in deploy/ is renamed")
    @Arguments("NAME: its symbolic name or the name of its file, as in plugin:list")
    public String remove(CommandSession session, String... typed) {
        String name = REMOVE.read(typed).word(0);
        return done(session, name, present().remove(name, caller(session)));
    }

    private String done(CommandSession session, String subject, CompletableFuture<Outcome> order) {
        Waiting waiting = new Waiting(session.getConsole(), () -> text().onTheWay(subject), PROGRESS);
        Outcome outcome = waiting.until(order, "it still goes on, plugin:list and change:list tell what comes of it");
        if (!outcome.isDone()) {
            throw new IllegalArgumentException(outcome.text());
        }
        return outcome.text();
    }

    private PluginText text() {
        Map<String, List<FilterRow>> filters = new TreeMap<>();
        ByRole.sorted(dispatchers).forEach((role, view) -> filters.put(role, view.filterRows()));
        return new PluginText(present().list(), filters);
    }

    private static String caller(CommandSession session) {
        return Caller.of(session).user();
    }

    private Plugins present() {
        Plugins now = plugins;
        if (now == null) {
            throw new IllegalArgumentException(
                    "there are no plugins yet: the node is still starting or stops, node:show tells which");
        }
        return now;
    }
}
