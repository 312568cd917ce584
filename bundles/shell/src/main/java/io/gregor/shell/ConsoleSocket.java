package io.gregor.shell;

import io.gregor.internal.node.NodeConfig;
import io.gregor.shell.internal.CommandRunner;
import io.gregor.shell.internal.CommandServer;
import io.gregor.shell.internal.SocketFile;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.apache.felix.service.command.CommandProcessor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the node's console while the node runs. A node whose socket cannot be bound serves all the same, without console.
 * Immutable.
 */
@Component(
        immediate = true,
        service = {})
public final class ConsoleSocket {
    private static final Logger LOGGER = LoggerFactory.getLogger(ConsoleSocket.class);
    private static final Duration TIME_LIMIT = Duration.ofMinutes(5);

    private final Optional<CommandServer> server;

    /** Made by the service registry. */
    @Activate
    public ConsoleSocket(@Reference NodeConfig config, @Reference CommandProcessor processor) {
        this.server = open(SocketFile.below(config.home()), new CommandRunner(processor));
    }

    private static Optional<CommandServer> open(SocketFile file, CommandRunner runner) {
        try {
            CommandServer server = new CommandServer(file, TIME_LIMIT, runner);
            LOGGER.info("console open socket={}", file.path());
            return Optional.of(server);
        } catch (IOException fault) {
            LOGGER.error("console not open: {}", fault.getMessage());
            return Optional.empty();
        }
    }

    @Deactivate
    void close() {
        server.ifPresent(CommandServer::close);
    }
}
