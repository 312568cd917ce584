package io.gregor.shell.internal;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;

/**
 * What is known of one command. Immutable.
 *
 * @param scope what stands before the colon
 * @param function what stands after it
 * @param example how it may be typed; empty if its author gave none
 * @param usages its forms, one for each method
 */
public record CommandPage(String scope, String function, String example, List<Usage> usages) {
    /** A way to call the command: what it does, and its arguments with their meaning. */
    record Usage(String description, List<String> arguments, List<String> meanings) {}

    /** Reads the page of a command from the class of its service. */
    public static CommandPage of(String scope, String function, String example, Class<?> service) {
        List<Usage> usages = Arrays.stream(service.getMethods())
                .filter(method -> isCommand(method, function))
                .map(CommandPage::usage)
                .sorted(Comparator.comparingInt((Usage usage) -> usage.arguments.size()))
                .toList();
        return new CommandPage(scope, function, example, usages);
    }

    /** The name to type. */
    String name() {
        return scope + ":" + function;
    }

    /** What the command does, by its simplest form; empty if its author does not say. */
    String description() {
        return usages.isEmpty() ? "" : usages.get(0).description;
    }

    /** A method called {@code _new} serves the function {@code new}, which Java does not allow as a name. */
    static boolean isCommand(Method method, String function) {
        return method.getName().equals(function) || method.getName().equals("_" + function);
    }

    private static Usage usage(Method method) {
        Arguments words = method.getAnnotation(Arguments.class);
        return words == null ? typed(method) : spelled(method, List.of(words.value()));
    }

    private static Usage spelled(Method method, List<String> words) {
        return new Usage(
                description(method.getAnnotations()),
                words.stream().map(Syntax::form).toList(),
                words.stream().map(CommandPage::meaning).toList());
    }

    private static String meaning(String argument) {
        int separator = argument.indexOf(Arguments.SEPARATOR);
        return separator < 0 ? "" : argument.substring(separator + Arguments.SEPARATOR.length());
    }

    private static Usage typed(Method method) {
        List<String> arguments = new ArrayList<>();
        List<String> meanings = new ArrayList<>();
        for (Parameter parameter : method.getParameters()) {
            if (parameter.getType() != CommandSession.class) {
                arguments.add(argument(parameter));
                meanings.add(description(parameter.getAnnotations()));
            }
        }
        return new Usage(description(method.getAnnotations()), arguments, meanings);
    }

    private static String argument(Parameter parameter) {
        org.apache.felix.service.command.Parameter option =
                parameter.getAnnotation(org.apache.felix.service.command.Parameter.class);
        if (option != null) {
            return "[" + String.join("|", option.names()) + "]";
        }
        Class<?> type = parameter.getType();
        boolean isRepeated = type.isArray() || List.class.isAssignableFrom(type);
        String name = (type.isArray() ? type.getComponentType() : type).getSimpleName();
        return isRepeated ? "[" + name.toUpperCase(Locale.ROOT) + "...]" : name.toUpperCase(Locale.ROOT);
    }

    private static String description(Annotation[] annotations) {
        return Arrays.stream(annotations)
                .filter(Descriptor.class::isInstance)
                .map(annotation -> ((Descriptor) annotation).value())
                .findFirst()
                .orElse("");
    }
}
