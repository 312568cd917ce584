package io.gregor.internal.registration;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.errors.InvalidRegistrationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.BrokerRegistrationRequest;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.metadata.ListenerInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReregistrationTest {
    private static final Endpoint INTERNAL = endpoint("INTERNAL", 9092);
    private static final List<Endpoint> BEFORE = List.of(INTERNAL);
    private static final List<Endpoint> AFTER = List.of(INTERNAL, endpoint("EXTERNAL", 9093));

    private final FakeControllerChannel controller = new FakeControllerChannel();
    private final RegistrationChannel channel = new RegistrationChannel(controller, FakeControllerChannel.FORM);
    private final Map<ListenerInfo, CompletableFuture<Void>> watched = new HashMap<>();
    private final Reregistration registrar = new Reregistration(
            Optional.of("INTERNAL"),
            channel,
            (listeners, timeoutMs) -> watched.computeIfAbsent(listeners, key -> new CompletableFuture<>()));

    @BeforeEach
    void isRegistered() {
        channel.listeners(info(BEFORE));
        channel.sendRequest(
                new BrokerRegistrationRequest.Builder(new BrokerRegistrationRequestData().setBrokerId(1)),
                FakeControllerChannel.ignored());
        controller.answer(Errors.NONE);
    }

    @Test
    void endsWhenTheNodesOwnMetadataShowsTheNewAddresses() {
        CompletableFuture<Void> done = registrar.register(AFTER);
        controller.answer(Errors.NONE);
        assertThat(done).isNotDone();

        watched.get(info(AFTER)).complete(null);

        assertThat(done).isCompletedWithValue(null);
        assertThat(controller.registration(1).listeners()).isEqualTo(info(AFTER).toBrokerRegistrationRequest());
    }

    @Test
    void keepsTheFormerAddressesWhenTheControllerRefuses() {
        CompletableFuture<Void> done = registrar.register(AFTER);

        controller.answer(Errors.INVALID_REGISTRATION);

        assertThat(done)
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(InvalidRegistrationException.class);
        assertThat(channel.listeners()).isEqualTo(info(BEFORE));
        assertThat(controller.sent).hasSize(2);
    }

    @Test
    void registersTheFormerAddressesAgainWhenNothingIsSeenInTime() {
        CompletableFuture<Void> done = registrar.register(AFTER);

        watched.get(info(AFTER)).completeExceptionally(new TimeoutException("late"));

        assertThat(done)
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(TimeoutException.class)
                .withMessageContaining("EXTERNAL");
        assertThat(controller.registration(2).listeners())
                .isEqualTo(info(BEFORE).toBrokerRegistrationRequest());
    }

    @Test
    void beginsAChangeWhenTheOneBeforeHasEnded() {
        CompletableFuture<Void> first = registrar.register(AFTER);
        CompletableFuture<Void> second = registrar.register(BEFORE);
        assertThat(controller.sent).hasSize(2);

        watched.get(info(AFTER)).complete(null);

        assertThat(first).isCompletedWithValue(null);
        assertThat(controller.registration(2).listeners())
                .isEqualTo(info(BEFORE).toBrokerRegistrationRequest());
        assertThat(second).isNotDone();
    }

    @ParameterizedTest
    @CsvSource({
        "external, 9093, must be in upper case",
        "EXTERNAL, 0, must be a real port",
        "INTERNAL, 9093, must be there once"
    })
    void sendsNothingThatWouldHarmTheController(String name, int port, String reason) {
        CompletableFuture<Void> done = registrar.register(List.of(INTERNAL, endpoint(name, port)));

        assertThat(done)
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining(reason);
        assertThat(controller.sent).hasSize(1);
    }

    @Test
    void refusesToLoseTheListenerOfOtherBrokers() {
        CompletableFuture<Void> done = registrar.register(List.of(endpoint("EXTERNAL", 9093)));

        assertThat(done)
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("listener=INTERNAL must be advertised");
    }

    private static Endpoint endpoint(String name, int port) {
        return new Endpoint(name, SecurityProtocol.PLAINTEXT, "host", port);
    }

    private static ListenerInfo info(List<Endpoint> endpoints) {
        return ListenerInfo.create(Optional.of("INTERNAL"), endpoints);
    }
}
