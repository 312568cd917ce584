package io.gregor.transport.internal;

import io.gregor.internal.request.Connection;
import io.gregor.internal.request.Hurried;
import io.gregor.internal.request.Outgoing;
import io.gregor.internal.transport.TransportView.ConnectionRow;
import java.net.InetAddress;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.apache.kafka.common.network.ChannelMetadataRegistry;
import org.apache.kafka.common.network.CipherInformation;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.KafkaPrincipalSerde;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection: the attachment of its selection key. Owned by the thread of its processor, which may become
 * another one. {@link #post} and {@link #row} are for any thread.
 */
final class ClientConnection extends IdleWheel.Entry implements Connection, ExcessConnections.Candidate {
    private static final AtomicReferenceFieldUpdater<ClientConnection, Hurried> IN_HAND =
            AtomicReferenceFieldUpdater.newUpdater(ClientConnection.class, Hurried.class, "requestInHand");

    private static final long NS_PER_MS = 1_000_000L;

    private final Parts parts;
    private final int clientPort;
    private final long acceptedNs;
    private final FrameReader frames;
    private final ResponseWriter writer = new ResponseWriter();
    private final Traffic traffic;
    private final ConcurrentLinkedQueue<Outgoing> outgoing = new ConcurrentLinkedQueue<>();

    private volatile Processor owner;
    private volatile MuteState muteState = MuteState.NOT_MUTED;
    private volatile long throttledUntilNs;
    private volatile ClientInformation clientInformation = ClientInformation.EMPTY;
    private volatile @Nullable CipherInformation cipher;
    private volatile short lastApiKey = -1;
    private final Unfinished unfinished = new Unfinished(this);
    private volatile boolean closeOrdered;
    private volatile @Nullable Hurried requestInHand;
    private boolean hasUnread;
    private volatile boolean parting;
    private boolean closed;

    /**
     * What a connection is put together from. Immutable.
     *
     * @param id {@code local:port-remote:port-processor-index}
     * @param channels what its listener gave it
     * @param accepted the socket and its place among the connections
     * @param key stands for its registration
     * @param channel layer and authenticator
     */
    record Parts(String id, ListenerChannels channels, Accepted accepted, ForwardingKey key, SecureChannel channel) {}

    ClientConnection(Parts parts, Processor owner, RoleTransport role) {
        long nowNs = role.time().nanoseconds();
        this.parts = parts;
        this.clientPort = parts.accepted().socket().socket().getPort();
        this.acceptedNs = nowNs;
        this.frames = new FrameReader(role.maxRequestBytes(), role.memory(), this::memoryGranted);
        this.traffic = new Traffic(nowNs);
        this.owner = owner;
    }

    Processor owner() {
        return owner;
    }

    /** From now on it is another processor's. */
    void owner(Processor next) {
        owner = next;
    }

    /** The next response or throttle event for it, in the order of {@link #post}; null if there is none. */
    @Nullable
    Outgoing nextOutgoing() {
        return outgoing.poll();
    }

    /** Drops what has come for it: it is gone. Any thread. */
    void dropOutgoing() {
        for (Outgoing next = outgoing.poll(); next != null; next = outgoing.poll()) {
            next.dropped();
        }
    }

    Accepted accepted() {
        return parts.accepted();
    }

    ForwardingKey key() {
        return parts.key();
    }

    SecureChannel channel() {
        return parts.channel();
    }

    FrameReader frames() {
        return frames;
    }

    ResponseWriter writer() {
        return writer;
    }

    Traffic traffic() {
        return traffic;
    }

    MuteState muteState() {
        return muteState;
    }

    void mute() {
        muteState = muteState.mute();
    }

    /** Whether it may be read from again. */
    boolean tryUnmute() {
        MuteState next = muteState.tryUnmute();
        muteState = next;
        return next == MuteState.NOT_MUTED;
    }

    void muteEvent(MuteState.Event event) {
        muteState = muteState.after(event);
    }

    /** A quota holds it back, until then; 0 if nobody knows how long. */
    void throttled(long untilNs) {
        throttledUntilNs = untilNs;
        muteEvent(MuteState.Event.THROTTLE_STARTED);
    }

    /** How long a quota still holds it back, in milliseconds; 0 if none does, or nobody knows how long. */
    private long throttledMs(MuteState state, long nowNs) {
        long untilNs = throttledUntilNs;
        return state.isThrottled() && untilNs != 0 ? Math.max(0, untilNs - nowNs) / NS_PER_MS : 0;
    }

    /** Whether the selector told of bytes which were not read: interest in more is given up until they are. */
    boolean hasUnread() {
        return hasUnread;
    }

    void hasUnread(boolean now) {
        hasUnread = now;
    }

    /** Whether its output is shut, and all that still comes is thrown away. */
    boolean isParting() {
        return parting;
    }

    void part() {
        parting = true;
    }

    boolean isClosed() {
        return closed;
    }

    /** Has it closed by the processor that owns it; false if it is closed already. Any thread. */
    boolean orderClose() {
        if (parts.accepted().isGone()) {
            return false;
        }
        closeOrdered = true;
        owner.closeOrders().put(this);
        return true;
    }

    @Override
    public boolean condemn() {
        return parts.accepted().condemn() && orderClose();
    }

    boolean isCloseOrdered() {
        return closeOrdered;
    }

    @Override
    public boolean isEnding() {
        return closeOrdered || parting || parts.channel().isRefused();
    }

    @Override
    public boolean isProtected() {
        return parts.accepted().share().isProtected();
    }

    @Override
    public boolean isWaitedFor() {
        return muteState.isResponsePending();
    }

    @Override
    public long lastActiveNs() {
        return traffic.lastActiveNs();
    }

    void markClosed() {
        closed = true;
    }

    /** A connection whose request is in hand waits for us: it is not idle. One that does not take its response is. */
    @Override
    long idleSinceNs(long nowNs) {
        return muteState.isResponsePending() && !writer.isBusy() ? nowNs : traffic.lastActiveNs();
    }

    /** What it has begun and not finished; watched by a wheel of its own. */
    Unfinished unfinished() {
        return unfinished;
    }

    @Override
    public String id() {
        return parts.id();
    }

    @Override
    public ListenerName listener() {
        return parts.channels().listener();
    }

    @Override
    public SecurityProtocol protocol() {
        return parts.channels().security().protocol();
    }

    @Override
    public boolean isPrivileged() {
        return parts.channels().isPrivileged();
    }

    @Override
    public InetAddress clientAddress() {
        return parts.accepted().address();
    }

    @Override
    public int clientPort() {
        return clientPort;
    }

    @Override
    public KafkaPrincipal principal() {
        return parts.channel().principal();
    }

    @Override
    public Optional<KafkaPrincipalSerde> principalSerde() {
        return parts.channel().principalSerde();
    }

    @Override
    public ClientInformation clientInformation() {
        return clientInformation;
    }

    @Override
    public void clientInformation(ClientInformation learnt) {
        ClientInformation before = clientInformation;
        if (!learnt.equals(before)) {
            clientInformation = learnt;
            owner.connections().renamed(before, learnt);
        }
    }

    /** The cipher that its layer has agreed on, null without one or before that. */
    @Nullable
    CipherInformation cipher() {
        return cipher;
    }

    /** Takes over what handshake and authentication have found out about the client. */
    void takeFacts() {
        ChannelMetadataRegistry facts = parts.channel().facts();
        ClientInformation learnt = facts.clientInformation();
        if (learnt != null) {
            clientInformation(learnt);
        }
        CipherInformation agreed = facts.cipherInformation();
        if (agreed != null && cipher == null) {
            cipher = agreed;
            owner.connections().agreed(agreed);
        }
    }

    @Override
    public void lastApi(short apiKey) {
        lastApiKey = apiKey;
    }

    @Override
    public void inHand(@Nullable Hurried request) {
        IN_HAND.lazySet(this, request);
    }

    /** The request in hand, for any thread, which may miss the last one. */
    @Nullable
    Hurried inHand() {
        return requestInHand;
    }

    /** Asks for the answer of the request in hand, if it can be given before its time. */
    void hurry() {
        Hurried request = requestInHand;
        if (request != null) {
            request.hurry();
        }
    }

    @Override
    public boolean takesReauthentication(long nowNs) {
        return parts.channel().takesReauthentication(nowNs);
    }

    @Override
    public boolean isSessionExpired(long nowNs) {
        return parts.channel().isSessionExpired(nowNs);
    }

    @Override
    public void post(Outgoing next) {
        outgoing.add(next);
        owner.post(this);
    }

    /** What is seen of it from outside. */
    ConnectionRow row(long nowNs) {
        ClientInformation client = clientInformation;
        MuteState state = muteState;
        boolean known = !client.equals(ClientInformation.EMPTY);
        return new ConnectionRow(
                parts.id(),
                parts.channels().listener().value(),
                owner.id(),
                known ? client.softwareName() + " " + client.softwareVersion() : "",
                parts.channel().principalName(),
                state.words(),
                throttledMs(state, nowNs),
                lastApiKey,
                traffic.bytesIn(),
                traffic.bytesOut(),
                (nowNs - acceptedNs) / NS_PER_MS,
                (nowNs - traffic.lastActiveNs()) / NS_PER_MS);
    }

    @Override
    public String toString() {
        return parts.id();
    }

    /** A step aside has ended: whoever owns the connection goes on with it. Any thread. */
    void stepEnded() {
        owner.post(this);
    }

    private void memoryGranted() {
        owner.poke();
    }
}
