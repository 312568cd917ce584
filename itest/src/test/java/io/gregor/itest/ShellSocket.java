package io.gregor.itest;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gregor.itest.GregorProcess.Finished;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** Sends commands to a node's shell as {@code bin/gregor shell} does, without a process for each. Immutable. */
public final class ShellSocket {
    private ShellSocket() {}

    /** Sends one, and waits for its end. */
    public static Finished call(Path home, String command) {
        Path socket = home.resolve("run").resolve("gregor.sock");
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            ByteBuffer bytes = UTF_8.encode(command);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.shutdownOutput();
            String answer = new String(Channels.newInputStream(channel).readAllBytes(), UTF_8);
            int end = answer.lastIndexOf('\0');
            return new Finished(Integer.parseInt(answer.substring(end + 1)), answer.substring(0, end));
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }
}
