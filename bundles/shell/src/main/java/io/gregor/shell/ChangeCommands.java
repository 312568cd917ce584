package io.gregor.shell;

import io.gregor.shell.internal.Arguments;
import io.gregor.shell.internal.JournalText;
import io.gregor.shell.internal.Syntax;
import io.gregor.shell.internal.Words;
import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Commands about the changes that were made while the node ran. Shared: any thread. */
@Component(service = ChangeCommands.class, immediate = true)
@ShellScope(
        scope = "change",
        function = {"list", "show", "undo"},
        example = {"change:list door=admin", "change:show 7", "change:undo 7 --dry-run"})
public final class ChangeCommands {
    private static final Syntax SHOW = Syntax.of(ChangeCommands.class, "change", "show");
    private static final Syntax UNDO = Syntax.of(ChangeCommands.class, "change", "undo");
    private static final long LAST = -1;

    private final Changes changes;

    /** Made by the service registry. */
    @Activate
    public ChangeCommands(@Reference Changes changes) {
        this.changes = changes;
    }

    /** Lists them. */
    @Descriptor("changes of settings and of plugins, last first: who, when, by which door, with which result")
    @Arguments("[FILTER...]: column=text, column~part of it, or a part of any column")
    public String list(String... filters) {
        return new JournalText(changes.journal()).list(List.of(filters));
    }

    /** Shows one. */
    @Descriptor("one change, with the stored values, or the plugin's versions, before and after")
    @Arguments("CHANGE: its number in change:list")
    public String show(CommandSession session, String... words) {
        return new JournalText(changes.journal()).details(SHOW.read(words).positive(0));
    }

    /** Takes one back. */
    @Descriptor("takes a change back: its keys get the stored values from before")
    @Arguments({
        "[CHANGE]: its number in change:list; else the last one of settings that counts",
        "[--dry-run]: tries it, changes nothing"
    })
    public String undo(CommandSession session, String... typed) {
        Words words = UNDO.read(typed);
        long number = words.find(0).isPresent() ? words.positive(0) : LAST;
        return changes.undo(session, number, words.has("--dry-run"));
    }
}
