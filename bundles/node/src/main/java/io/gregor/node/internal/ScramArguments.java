package io.gregor.node.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The credentials given to the format command: as they are, in Kafka's form, or as {@code @FILE} with one a line, so that no
 * password stands in the list of processes. Immutable.
 */
final class ScramArguments {
    private static final String FORM =
            "SCRAM-SHA-256=[name=NAME,password=PASSWORD] or the same with SCRAM-SHA-512, no value with a comma";

    private ScramArguments() {}

    /** All of them; empty lines of files and those that begin with # do not count. */
    static List<String> read(List<String> given) {
        List<String> credentials = new ArrayList<>();
        for (String argument : given) {
            if (argument.startsWith("@")) {
                credentials.addAll(lines(Path.of(argument.substring(1))));
            } else {
                credentials.add(argument);
            }
        }
        return credentials;
    }

    /** Whether Kafka's message repeats what was given, and with it a password. */
    static boolean repeats(String message, List<String> credentials) {
        return message.contains("SCRAM argument")
                || message.contains("SCRAM component")
                || message.contains("SCRAM configurations")
                || message.contains("given salt")
                || credentials.stream().anyMatch(message::contains);
    }

    /** Says the right form in its place. */
    static StartRefused refusal() {
        return new StartRefused("--add-scram is not understood, it must be " + FORM + ", or @FILE with one a line");
    }

    /** The lines that Kafka's formatter says without those of the first records, which have salts and keys in them. */
    static Stream<String> withoutCredentials(String said) {
        return said.lines().filter(line -> !line.contains("UserScramCredentialRecord"));
    }

    private static List<String> lines(Path file) {
        try (var lines = Files.lines(file)) {
            return lines.map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
        } catch (NoSuchFileException missing) {
            throw new StartRefused("--add-scram @" + file + ": there is no such file");
        } catch (IOException | UncheckedIOException unreadable) {
            throw new StartRefused("--add-scram @" + file + " cannot be read: " + unreadable);
        }
    }
}
