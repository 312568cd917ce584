package io.gregor.transport.internal;

import org.apache.kafka.common.network.ChannelMetadataRegistry;
import org.apache.kafka.common.network.CipherInformation;
import org.apache.kafka.common.network.ClientInformation;
import org.jspecify.annotations.Nullable;

/** What is learnt of a client before its first request. Shared: one thread at a time writes. */
final class ConnectionFacts implements ChannelMetadataRegistry {
    private volatile @Nullable CipherInformation cipher;
    private volatile @Nullable ClientInformation client;

    @Override
    public void registerCipherInformation(CipherInformation agreed) {
        cipher = agreed;
    }

    @Override
    public @Nullable CipherInformation cipherInformation() {
        return cipher;
    }

    @Override
    public void registerClientInformation(ClientInformation learnt) {
        client = learnt;
    }

    @Override
    public @Nullable ClientInformation clientInformation() {
        return client;
    }

    @Override
    public void close() {
        // it is gone with its connection
    }
}
