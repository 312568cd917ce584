package io.gregor.transport.internal;

/**
 * A handshake or a frame of a connection that is under way: it must come to an end, or go on. Owned by the thread that owns
 * the connection. A handshake may take 30 seconds, and a frame may stand still as long: after that, clients give up of their
 * own accord ({@code request.timeout.ms}, {@code socket.connection.setup.timeout.max.ms}). A frame that holds memory for
 * which others may wait may stand still for 10.
 */
final class Unfinished extends IdleWheel.Entry {
    static final long LEAST_PATIENCE_NS = 10_000_000_000L;
    private static final long MORE_PATIENCE_NS = 20_000_000_000L;

    private final ClientConnection connection;

    Unfinished(ClientConnection connection) {
        this.connection = connection;
    }

    ClientConnection connection() {
        return connection;
    }

    @Override
    long idleSinceNs(long nowNs) {
        SecureChannel channel = connection.channel();
        if (!channel.isReady()) {
            return channel.unreadySinceNs() + MORE_PATIENCE_NS;
        }
        FrameReader frames = connection.frames();
        if (!frames.hasBegun() || connection.muteState() != MuteState.NOT_MUTED) {
            return IdleWheel.NEVER;
        }
        return connection.lastActiveNs() + (frames.holdsMemory() ? 0 : MORE_PATIENCE_NS);
    }
}
