package io.gregor.transport.internal;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ForwardingKeyTest {
    private Pipe.SinkChannel channel;
    private Pipe.SourceChannel other;
    private Selector first;
    private Selector second;

    @BeforeEach
    void open() throws IOException {
        Pipe pipe = Pipe.open();
        channel = pipe.sink();
        other = pipe.source();
        channel.configureBlocking(false);
        first = Selector.open();
        second = Selector.open();
    }

    @AfterEach
    void close() throws IOException {
        first.close();
        second.close();
        channel.close();
        other.close();
    }

    @Test
    void standsForTheRegistrationOfTheMoment() throws IOException {
        ForwardingKey key = new ForwardingKey(channel, OP_WRITE);
        SelectionKey registration = key.register(first);

        first.selectNow();
        assertThat(key.selector()).isSameAs(first);
        assertThat(key.readyOps()).isEqualTo(OP_WRITE);
        key.remove(OP_WRITE);
        assertThat(registration.interestOps()).isZero();
        assertThat(key.interestOps(OP_WRITE)).isSameAs(key);
        assertThat(registration.interestOps()).isEqualTo(OP_WRITE);
    }

    @Test
    void keepsItsInterestOpsFromOneSelectorToTheNext() throws IOException {
        ForwardingKey key = new ForwardingKey(channel, 0);
        key.register(first);
        key.add(OP_WRITE);

        key.deregister();
        assertThat(key.isValid()).isTrue();
        assertThat(key.readyOps()).isZero();
        assertThat(key.interestOps()).isEqualTo(OP_WRITE);
        key.remove(OP_WRITE);
        key.add(OP_WRITE);
        first.selectNow();
        SelectionKey registration = key.register(second);

        assertThat(registration.interestOps()).isEqualTo(OP_WRITE);
        assertThat(key.selector()).isSameAs(second);
        assertThat(second.selectNow()).isEqualTo(1);
    }

    @Test
    void isValidBetweenSelectorsOnlyWhileTheChannelIsOpen() throws IOException {
        ForwardingKey key = new ForwardingKey(channel, OP_READ);
        assertThat(key.isValid()).isTrue();
        channel.close();
        assertThat(key.isValid()).isFalse();
    }
}
