package io.gregor.internal.request;

import java.net.InetAddress;
import java.util.Optional;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.KafkaPrincipalSerde;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection, as dispatch sees it. Owned by a processor thread, which may change; {@link #post} is for any
 * thread.
 */
public interface Connection {
    /** {@code local:port-remote:port-processor-index}, as it was accepted. */
    String id();

    /** The listener it came in by. */
    ListenerName listener();

    /** The protocol of that listener. */
    SecurityProtocol protocol();

    /** Whether the listener is the inter-broker one or a controller's: forwarded requests are taken from it only. */
    boolean isPrivileged();

    /** The client's address. */
    InetAddress clientAddress();

    /** The client's port. */
    int clientPort();

    /** Who the authenticator found the client to be. */
    KafkaPrincipal principal();

    /** How the principal is written into a forwarded request. */
    Optional<KafkaPrincipalSerde> principalSerde();

    /** The client's software name and version, {@link ClientInformation#EMPTY} until learnt. */
    ClientInformation clientInformation();

    /** Keeps the name and version that an ApiVersions request told. Processor thread. */
    void clientInformation(ClientInformation learnt);

    /** The last API key, for those who look at the connection. Processor thread. */
    void lastApi(short apiKey);

    /**
     * Keeps the request in hand, so that it can be hurried when the connection is to end: told by dispatch when it queues a
     * request, and with null when the response was taken. Processor thread.
     */
    default void inHand(@Nullable Hurried request) {}

    /** Whether the authenticator takes a new handshake now (KIP-368). Processor thread. */
    boolean takesReauthentication(long nowNs);

    /** Whether the session's time is over without re-authentication (KIP-368). Processor thread. */
    boolean isSessionExpired(long nowNs);

    /**
     * Sends what became of the request in hand, or a throttle event, to the processor that owns the connection now. Any
     * thread; never blocks. Dropped, with {@link Outgoing#dropped} called, if the connection is gone.
     */
    void post(Outgoing outgoing);
}
