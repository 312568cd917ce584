package io.gregor.shell;

import io.gregor.shell.internal.CommandNames;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Component;

/** Commands about the shell itself. Immutable. */
@Component(service = ShellCommands.class, immediate = true)
@ShellScope(scope = "shell", function = "complete", example = "shell:complete li")
public final class ShellCommands {
    /** Lists what a beginning may become. */
    @Descriptor("the command names that begin so, one a line")
    public String complete(CommandSession session, @Descriptor("the first letters") String prefix) {
        return String.join("\n", CommandNames.of(session).startingWith(prefix));
    }

    /** Lists all that may be typed. */
    @Descriptor("command names, one a line, for completion in a terminal")
    public String complete(CommandSession session) {
        return complete(session, "");
    }
}
