package io.gregor.dispatch.internal;

import io.gregor.internal.request.Connection;
import io.gregor.internal.request.Outgoing;
import java.net.InetAddress;
import java.util.Optional;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.KafkaPrincipalSerde;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.jspecify.annotations.Nullable;

/** A connection without a socket that keeps the last response. Owned by the thread of the benchmark. */
final class BenchedConnection implements Connection {
    static final Runnable NOTHING = () -> {};

    private final ListenerName listener = new ListenerName("PLAINTEXT");
    private @Nullable Outgoing posted;

    Outgoing posted() {
        if (posted == null) {
            throw new IllegalStateException("there was no answer");
        }
        return posted;
    }

    @Override
    public String id() {
        return "127.0.0.1:9092-127.0.0.1:50000-0-1";
    }

    @Override
    public ListenerName listener() {
        return listener;
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
        return 50_000;
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
        return ClientInformation.EMPTY;
    }

    @Override
    public void clientInformation(ClientInformation learnt) {}

    @Override
    public void lastApi(short apiKey) {}

    @Override
    public boolean takesReauthentication(long nowNs) {
        return false;
    }

    @Override
    public boolean isSessionExpired(long nowNs) {
        return false;
    }

    @Override
    public void post(Outgoing outgoing) {
        posted = outgoing;
    }
}
