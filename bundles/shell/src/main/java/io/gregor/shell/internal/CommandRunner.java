package io.gregor.shell.internal;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import org.apache.felix.gogo.runtime.CommandNotFoundException;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Converter;

/** Runs one command line in a Gogo session of its own, without standard input. Shared: any thread. */
public final class CommandRunner implements CommandLine {
    /** Which scopes are looked at first for a name without scope: so {@code help} is ours. */
    private static final String SCOPES = "gregor:*";

    private final CommandProcessor processor;

    /** Runs commands on a processor. */
    public CommandRunner(CommandProcessor processor) {
        this.processor = processor;
    }

    @Override
    public int run(String command, Caller caller, OutputStream output) {
        try (PrintStream out = new PrintStream(output, false, StandardCharsets.UTF_8);
                CommandSession session = processor.createSession(InputStream.nullInputStream(), out, out)) {
            session.put("SCOPE", SCOPES);
            session.put(CommandSession.OPTION_NO_GLOB, true);
            caller.enter(session);
            return execute(session, command, out);
        }
    }

    private static int execute(CommandSession session, String command, PrintStream out) {
        try {
            Object result = session.execute(withPercents(command));
            if (result != null) {
                out.println(session.format(result, Converter.INSPECT));
            }
            return 0;
        } catch (CommandNotFoundException unknown) {
            out.println(unknown(unknown.getCommand(), CommandNames.of(session)));
        } catch (InterruptedException late) {
            out.println("command took too long, or the node stops: command=" + command);
        } catch (Exception failed) {
            out.println(message(failed));
        }
        return 1;
    }

    /** A percent sign behind a digit is one: to Gogo it would begin an expression, unless it is in single quotes. */
    private static CharSequence withPercents(String command) {
        StringBuilder text = new StringBuilder();
        boolean isQuoted = false;
        for (int i = 0; i < command.length(); i++) {
            char letter = command.charAt(i);
            isQuoted ^= letter == '\'';
            boolean isPercent = letter == '%' && !isQuoted && i > 0 && Character.isDigit(command.charAt(i - 1));
            text.append(isPercent ? "\\%" : letter);
        }
        return text;
    }

    private static String unknown(String command, CommandNames names) {
        return names.nearest(command)
                .map(name -> "unknown command=" + command + ", did you mean " + name + "? help lists all")
                .orElse("unknown command=" + command + ", help lists all");
    }

    /**
     * Ours say what is wrong in an IllegalArgumentException; of others the kind of exception is part of the message. Gogo hides
     * errors in an InvocationTargetException.
     */
    private static String message(Exception failed) {
        String message = failed.getMessage();
        if (message != null && failed instanceof IllegalArgumentException) {
            return message;
        }
        return String.valueOf(failed instanceof InvocationTargetException ? failed.getCause() : failed);
    }
}
