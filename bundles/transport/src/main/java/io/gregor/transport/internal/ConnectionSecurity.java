package io.gregor.transport.internal;

import io.gregor.api.security.SecuredConnection;
import java.nio.channels.SelectionKey;
import org.apache.kafka.common.network.ChannelMetadataRegistry;
import org.apache.kafka.common.requests.ApiVersionsResponse;

/** A connection as its channel layer and its authenticator see it. Owned by the processor thread of the connection. */
final class ConnectionSecurity implements SecuredConnection {
    private final String id;
    private final ForwardingKey key;
    private final ChannelMetadataRegistry facts = new ConnectionFacts();

    ConnectionSecurity(String id, ForwardingKey key) {
        this.id = id;
        this.key = key;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public SelectionKey key() {
        return key;
    }

    @Override
    public ChannelMetadataRegistry facts() {
        return facts;
    }

    @Override
    public ApiVersionsResponse apiVersions(short version) {
        throw new IllegalStateException("nobody answers ApiVersions before authentication");
    }

    @Override
    public void aside(Runnable step) {
        step.run();
    }
}
