package io.gregor.shell.internal;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Reads the words of a command as its {@link Arguments} say: options may stand anywhere, what is unknown is refused.
 * Immutable.
 */
public final class Syntax {
    private static final String OPTION = "[--";

    private final String command;
    private final List<String> forms;

    private Syntax(String command, List<String> forms) {
        this.command = command;
        this.forms = forms;
    }

    /** The syntax of the annotated method that serves a function. */
    public static Syntax of(Class<?> commands, String scope, String function) {
        Arguments arguments = Arrays.stream(commands.getMethods())
                .filter(method -> CommandPage.isCommand(method, function))
                .map(Syntax::arguments)
                .flatMap(Optional::stream)
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException("no @Arguments: class=" + commands + " method=" + function));
        return new Syntax(
                scope + ":" + function,
                Arrays.stream(arguments.value()).map(Syntax::form).toList());
    }

    private static Optional<Arguments> arguments(Method method) {
        return Optional.ofNullable(method.getAnnotation(Arguments.class));
    }

    static String form(String argument) {
        return argument.split(Arguments.SEPARATOR, 2)[0];
    }

    /**
     * Tells the words apart.
     *
     * @throws IllegalArgumentException if there are too few, too many, or unknown options
     */
    public Words read(String... typed) {
        Words words = new Words(command);
        for (int i = 0; i < typed.length; i++) {
            String word = typed[i];
            if (!word.startsWith("--")) {
                words.add(word);
                continue;
            }
            String name = word.split("=", 2)[0];
            String form = optionForm(name);
            if (!takesValue(form)) {
                words.add(name, "");
            } else if (word.contains("=")) {
                words.add(name, word.split("=", 2)[1]);
            } else if (i + 1 < typed.length) {
                i++;
                words.add(name, typed[i]);
            } else {
                throw wrong(name + " needs a value");
            }
            if (words.values(name).size() > 1 && !form.endsWith("...")) {
                throw wrong(name + " is given twice");
            }
        }
        checkCount(words.count());
        return words;
    }

    private String optionForm(String name) {
        return forms.stream()
                .filter(form -> form.startsWith("[" + name + " ") || form.equals("[" + name + "]"))
                .findFirst()
                .orElseThrow(() -> wrong("unknown option=" + name));
    }

    private static boolean takesValue(String optionForm) {
        return optionForm.contains(" ");
    }

    private void checkCount(int count) {
        List<String> plain = new ArrayList<>(forms);
        plain.removeIf(form -> form.startsWith(OPTION));
        long needed = plain.stream().filter(form -> !form.startsWith("[")).count();
        boolean isOpen = plain.stream().anyMatch(form -> form.contains("..."));
        if (count < needed) {
            throw wrong("too few words=" + count);
        }
        if (count > plain.size() && !isOpen) {
            throw wrong("too many words=" + count);
        }
    }

    private IllegalArgumentException wrong(String reason) {
        String usage = forms.stream().collect(Collectors.joining(" "));
        return new IllegalArgumentException(
                reason + ", type " + command + " " + usage + "; help " + command + " tells more");
    }
}
