package io.gregor.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;

/**
 * Sends commands to the shell of a running node, one connection each, and prints what comes back; the status of the last
 * command is the exit status. Owned by the main thread.
 */
public final class ShellClient {
    private static final String PROMPT = "gregor> ";

    private final Path socket;
    private final PrintStream out;

    private ShellClient(Path socket, PrintStream out) {
        this.socket = socket;
        this.out = out;
    }

    /** Takes the words of one command, or none: then commands are read from standard input, one a line. */
    public static void main(String[] args) {
        Path socket = Path.of(System.getProperty("gregor.home", "."), "run/gregor.sock");
        ShellClient client = new ShellClient(socket, new PrintStream(System.out, true, UTF_8));
        try {
            System.exit(args.length > 0 ? client.send(String.join(" ", args)) : client.converse());
        } catch (IOException fault) {
            System.err.println("gregor: no node answers at " + socket + ": " + fault.getMessage()
                    + "; start one with gregor start, or name its --home");
            System.exit(1);
        }
    }

    private int converse() throws IOException {
        boolean isTerminal = Boolean.getBoolean("gregor.shell.terminal");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        int status = 0;
        while (true) {
            if (isTerminal) {
                out.print(PROMPT);
                out.flush();
            }
            String line = lines.readLine();
            if (line == null) {
                return status;
            }
            if (List.of("exit", "quit").contains(line.strip())) {
                return status;
            }
            if (!line.isBlank()) {
                status = send(line);
            }
        }
    }

    private int send(String command) throws IOException {
        return send(socket, command, out);
    }

    /** Sends one command, copies its output, and returns its status. */
    static int send(Path socket, String command, PrintStream out) throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            ByteBuffer bytes = UTF_8.encode(command);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.shutdownOutput();
            return new ShellReply(Channels.newInputStream(channel)).copyTo(out);
        }
    }
}
