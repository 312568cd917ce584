package io.gregor.shell.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Draws the help. Immutable.
 *
 * @param pages all commands
 */
public record CommandHelp(List<CommandPage> pages) {
    /** The commands that have an example, by scope; of the others only the names. */
    public String overview() {
        Table table = new Table("COMMAND", "WHAT IT SHOWS OR DOES", "EXAMPLE");
        sorted().stream()
                .filter(page -> !page.example().isEmpty())
                .forEach(page -> table.add(page.name(), page.description(), page.example()));
        String others = sorted().stream()
                .filter(page -> page.example().isEmpty())
                .map(CommandPage::name)
                .distinct()
                .collect(Collectors.joining(" "));
        return table.draw() + "\n\nhelp COMMAND tells more" + (others.isEmpty() ? "" : "\nof the framework: " + others);
    }

    /**
     * One command with its forms.
     *
     * @throws IllegalArgumentException if there is no such command
     */
    public String details(String command, CommandNames names) {
        List<String> texts = new ArrayList<>();
        for (CommandPage page : sorted()) {
            if (page.name().equals(command) || page.function().equals(command)) {
                texts.add(text(page));
            }
        }
        if (texts.isEmpty()) {
            throw new IllegalArgumentException("unknown command=" + command
                    + names.nearest(command)
                            .map(name -> ", did you mean " + name + "?")
                            .orElse(", help lists all"));
        }
        return String.join("\n\n", texts);
    }

    private static String text(CommandPage page) {
        StringBuilder out = new StringBuilder(page.name());
        for (CommandPage.Usage usage : page.usages()) {
            out.append("\n  ").append(page.name());
            usage.arguments().forEach(argument -> out.append(' ').append(argument));
            if (!usage.description().isEmpty()) {
                out.append("\n      ").append(usage.description());
            }
            for (int i = 0; i < usage.arguments().size(); i++) {
                if (!usage.meanings().get(i).isEmpty()) {
                    out.append("\n      ").append(usage.arguments().get(i)).append(": ");
                    out.append(usage.meanings().get(i));
                }
            }
        }
        if (!page.example().isEmpty()) {
            out.append("\n  example: ").append(page.example());
        }
        return out.toString();
    }

    private List<CommandPage> sorted() {
        return pages.stream()
                .sorted(Comparator.comparing(CommandPage::scope).thenComparing(CommandPage::function))
                .toList();
    }
}
