package io.gregor.shell;

import io.gregor.internal.change.LiveConfig;
import io.gregor.internal.change.LiveConfig.Scope;
import io.gregor.shell.internal.Arguments;
import io.gregor.shell.internal.ConfigText;
import io.gregor.shell.internal.Standing;
import io.gregor.shell.internal.Syntax;
import io.gregor.shell.internal.Wish;
import io.gregor.shell.internal.Words;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Commands about settings by their keys. Immutable. */
@Component(service = ConfigCommands.class, immediate = true)
@ShellScope(
        scope = "config",
        function = {"set", "unset", "show"},
        example = {"config:set max.connections.per.ip=50", "config:unset max.connections.per.ip", "config:show num."})
public final class ConfigCommands {
    private static final Syntax SET = Syntax.of(ConfigCommands.class, "config", "set");
    private static final Syntax UNSET = Syntax.of(ConfigCommands.class, "config", "unset");
    private static final Syntax SHOW = Syntax.of(ConfigCommands.class, "config", "show");
    private static final String CLUSTER = "--cluster";

    private final Changes changes;

    /** Made by the service registry. */
    @Activate
    public ConfigCommands(@Reference Changes changes) {
        this.changes = changes;
    }

    /** Gives keys values. */
    @Descriptor("gives keys dynamic values, all of them or none")
    @Arguments({
        "KEY=VALUE...: as in server.properties; quotes around a VALUE with spaces or one of ; | & < > $ # [ {",
        "[--cluster]: the default of all nodes, else of this node alone",
        "[--dry-run]: tries it, changes nothing"
    })
    public String set(CommandSession session, String... typed) {
        Words words = SET.read(typed);
        Wish wish = new Wish(changes.standing(), scope(words));
        words.pairs(words.from(0)).forEach(wish::set);
        return changes.apply(session, wish, words.has("--dry-run"));
    }

    /** Takes dynamic values away. */
    @Descriptor("takes dynamic values of keys away: what is under them counts again")
    @Arguments({
        "KEY...: keys with a dynamic value",
        "[--cluster]: the default of all nodes, else of this node alone",
        "[--dry-run]: tries it, changes nothing"
    })
    public String unset(CommandSession session, String... typed) {
        Words words = UNSET.read(typed);
        Scope scope = scope(words);
        Standing standing = changes.standing();
        Wish wish = new Wish(standing, scope);
        for (String key : words.from(0)) {
            if (!standing.stored(scope).containsKey(key)) {
                throw new IllegalArgumentException("key=" + key + " has no dynamic value "
                        + (scope == Scope.NODE ? "for this node" : "for all nodes") + ", config:show " + key
                        + " tells where its value comes from");
            }
            wish.delete(key);
        }
        return changes.apply(session, wish, words.has("--dry-run"));
    }

    /** Shows keys. */
    @Descriptor("keys that are set: the value that counts, where it comes from, what is not applied and why")
    @Arguments("[KEY]: one key and all it is told by, or a part of the names of several, those with defaults too")
    public String show(CommandSession session, String... typed) {
        Words words = SHOW.read(typed);
        LiveConfig live = changes.live();
        ConfigText text = new ConfigText(changes.standing(), live.notApplied());
        return words.find(0).map(text::some).orElseGet(text::all);
    }

    private static Scope scope(Words words) {
        return words.has(CLUSTER) ? Scope.CLUSTER : Scope.NODE;
    }
}
