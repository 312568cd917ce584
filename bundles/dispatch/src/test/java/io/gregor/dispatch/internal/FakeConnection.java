package io.gregor.dispatch.internal;

import io.gregor.internal.request.Connection;
import io.gregor.internal.request.Hurried;
import io.gregor.internal.request.Outgoing;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.network.Send;
import org.apache.kafka.common.network.TransferableChannel;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.KafkaPrincipalSerde;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.jspecify.annotations.Nullable;

/** A connection without a socket: keeps what is posted. */
final class FakeConnection implements Connection {
    final LinkedBlockingQueue<Outgoing> posted = new LinkedBlockingQueue<>();
    ClientInformation client = ClientInformation.EMPTY;
    short lastApi = -1;
    boolean takesReauthentication;
    boolean isExpired;
    volatile @Nullable Hurried inHand;

    /** The bytes of a response as they would go to the socket. */
    static ByteBuffer written(Outgoing outgoing) {
        Send send = outgoing.send();
        ByteBuffer all = ByteBuffer.allocate((int) send.size());
        TransferableChannel channel = new CollectingChannel(all);
        try {
            while (!send.completed()) {
                send.writeTo(channel);
            }
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return all.flip();
    }

    @Override
    public String id() {
        return "127.0.0.1:9092-127.0.0.1:50000-0-1";
    }

    @Override
    public ListenerName listener() {
        return new ListenerName("PLAINTEXT");
    }

    @Override
    public SecurityProtocol protocol() {
        return SecurityProtocol.PLAINTEXT;
    }

    @Override
    public boolean isPrivileged() {
        return false;
    }

    @Override
    public InetAddress clientAddress() {
        return InetAddress.getLoopbackAddress();
    }

    @Override
    public int clientPort() {
        return 50000;
    }

    @Override
    public KafkaPrincipal principal() {
        return KafkaPrincipal.ANONYMOUS;
    }

    @Override
    public Optional<KafkaPrincipalSerde> principalSerde() {
        return Optional.empty();
    }

    @Override
    public ClientInformation clientInformation() {
        return client;
    }

    @Override
    public void clientInformation(ClientInformation learnt) {
        client = learnt;
    }

    @Override
    public void lastApi(short apiKey) {
        lastApi = apiKey;
    }

    @Override
    public void inHand(@Nullable Hurried request) {
        inHand = request;
    }

    /** As transport does when the connection is to end. */
    void hurry() {
        Hurried request = inHand;
        if (request != null) {
            request.hurry();
        }
    }

    @Override
    public boolean takesReauthentication(long nowNs) {
        return takesReauthentication;
    }

    @Override
    public boolean isSessionExpired(long nowNs) {
        return isExpired;
    }

    @Override
    public void post(Outgoing outgoing) {
        posted.add(outgoing);
    }
}
