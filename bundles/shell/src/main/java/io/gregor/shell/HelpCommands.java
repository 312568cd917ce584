package io.gregor.shell;

import io.gregor.shell.internal.CommandHelp;
import io.gregor.shell.internal.CommandNames;
import io.gregor.shell.internal.CommandPage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** Tells which commands there are, from the service properties and annotations of them all. Immutable. */
@Component(service = HelpCommands.class, immediate = true)
@ShellScope(scope = "gregor", function = "help", example = "help connection:list")
public final class HelpCommands {
    private static final String COMMANDS = "(&(osgi.command.scope=*)(osgi.command.function=*))";

    private final BundleContext bundle;

    /** Made by the service registry. */
    @Activate
    public HelpCommands(BundleContext bundle) {
        this.bundle = bundle;
    }

    /** The overview. */
    @Descriptor("all commands by scope, with an example each")
    public String help() {
        return new CommandHelp(pages()).overview();
    }

    /** One command. */
    @Descriptor("what a command does, and its arguments")
    public String help(CommandSession session, @Descriptor("as typed, with or without scope") String command) {
        return new CommandHelp(pages()).details(command, CommandNames.of(session));
    }

    private List<CommandPage> pages() {
        List<CommandPage> pages = new ArrayList<>();
        for (ServiceReference<?> reference : references()) {
            Object service = bundle.getService(reference);
            if (service == null) {
                continue;
            }
            String scope = String.valueOf(reference.getProperty("osgi.command.scope"));
            List<String> examples = texts(reference.getProperty("osgi.command.example"));
            List<String> functions = texts(reference.getProperty("osgi.command.function"));
            for (int i = 0; i < functions.size(); i++) {
                String example = i < examples.size() ? examples.get(i) : "";
                pages.add(CommandPage.of(scope, functions.get(i), example, service.getClass()));
            }
            bundle.ungetService(reference);
        }
        return pages;
    }

    private List<ServiceReference<?>> references() {
        try {
            ServiceReference<?>[] found = bundle.getAllServiceReferences(null, COMMANDS);
            return found == null ? List.of() : List.of(found);
        } catch (InvalidSyntaxException impossible) {
            throw new IllegalStateException("filter=" + COMMANDS, impossible);
        }
    }

    private static List<String> texts(Object property) {
        if (property instanceof Object[] several) {
            return Arrays.stream(several).map(String::valueOf).toList();
        }
        if (property instanceof Collection<?> several) {
            return several.stream().map(String::valueOf).toList();
        }
        return property == null ? List.of() : List.of(property.toString());
    }
}
