package io.gregor.shell.internal;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;
import org.apache.felix.service.command.CommandSession;

/**
 * Who typed a command. Immutable.
 *
 * @param user the name of the user, as the system has it
 */
public record Caller(String user) {
    /** The session's variable; nothing that can be typed makes a value of this type. */
    private static final String VARIABLE = ".gregor.caller";

    /** The user of this process: whoever can open the console has become it. */
    public static Caller ofProcess() {
        return new Caller(System.getProperty("user.name", "unknown"));
    }

    /** The user of the process at the other end of a Unix socket; our own where the system does not tell. */
    static Caller at(SocketChannel channel) {
        try {
            if (channel.supportedOptions().contains(ExtendedSocketOptions.SO_PEERCRED)) {
                return new Caller(channel.getOption(ExtendedSocketOptions.SO_PEERCRED)
                        .user()
                        .getName());
            }
        } catch (IOException untold) {
            return ofProcess();
        }
        return ofProcess();
    }

    /** Who typed what runs in this session. */
    public static Caller of(CommandSession session) {
        return session.get(VARIABLE) instanceof Caller caller ? caller : ofProcess();
    }

    void enter(CommandSession session) {
        session.put(VARIABLE, this);
    }
}
