package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.server.network.ConnectionDisconnectListener;
import org.junit.jupiter.api.Test;

class DisconnectionsTest {
    private final Disconnections disconnections = new Disconnections();
    private final List<String> told = new ArrayList<>();

    @Test
    void theFaultOfOneListenerKeepsNothingFromTheNext() {
        disconnections.add(connection -> {
            throw new IllegalStateException("planted");
        });
        disconnections.add(told::add);

        disconnections.tell("127.0.0.1:9092-127.0.0.1:50000-0-1");

        assertThat(told).containsExactly("127.0.0.1:9092-127.0.0.1:50000-0-1");
    }

    @Test
    void whoHasLeftIsNotTold() {
        ConnectionDisconnectListener listener = told::add;
        disconnections.add(listener);
        disconnections.remove(listener);

        disconnections.tell("127.0.0.1:9092-127.0.0.1:50000-0-1");

        assertThat(told).isEmpty();
    }
}
