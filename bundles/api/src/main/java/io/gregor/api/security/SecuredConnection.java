package io.gregor.api.security;

import java.nio.channels.SelectionKey;
import org.apache.kafka.common.network.ChannelMetadataRegistry;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A client's connection, as its channel layer and its authenticator see it. Owned by the connection's processor thread, which
 * may become another one; {@link #id}, {@link #facts} and {@link #apiVersions} are for the thread of a step aside, too.
 */
@ProviderType
public interface SecuredConnection {
    /** {@code local:port-remote:port-processor-index}, for log lines. */
    String id();

    /**
     * Stands for the connection's registration for the whole of its life; it stays valid while the connection moves from one
     * selector to another.
     */
    SelectionKey key();

    /** Keeps what is learnt of the client before its first request: its software (KIP-511), the cipher it agreed on. */
    ChannelMetadataRegistry facts();

    /**
     * The answer to an ApiVersions request that comes before the client is authenticated, as its listener gives it afterwards.
     *
     * @param version the version of the request, at most the latest one
     * @throws IllegalStateException if nobody can answer just now; the connection is then to be closed
     */
    ApiVersionsResponse apiVersions(short version);

    /**
     * Has work done that takes long or may wait (the arithmetic of a handshake, a look into a directory of users), on another
     * thread. Until it is done neither layer nor authenticator of this connection are called, and nothing is read; then
     * {@code handshake} or {@code authenticate} is, on the thread of the processor. Called within {@code handshake},
     * {@code authenticate} or {@code reauthenticate}, at most once in each call; the step begins when that call has returned.
     * A connection that ends meanwhile has its socket closed at once, its layer and authenticator after the step, by the
     * step's thread; a step that has not begun then is not run.
     *
     * @param step keeps what it finds out, faults too, for the call that follows; one that throws closes the connection
     * @throws IllegalStateException outside of those calls, or the second time in one
     */
    void aside(Runnable step);
}
