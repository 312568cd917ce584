package io.gregor.internal.registration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.BrokerHeartbeatRequest;
import org.apache.kafka.common.requests.BrokerRegistrationRequest;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.metadata.ListenerInfo;
import org.junit.jupiter.api.Test;

class RegistrationChannelTest {
    private static final ListenerInfo OLD = listeners(9092);
    private static final ListenerInfo NEW = listeners(9093);

    private final FakeControllerChannel controller = new FakeControllerChannel();
    private final RegistrationChannel channel = new RegistrationChannel(controller, FakeControllerChannel.FORM);

    @Test
    void putsTheListenersOfTheMomentIntoWhatTheLifecycleSendsAgain() {
        channel.listeners(OLD);
        channel.sendRequest(lifecycleRegistration(), FakeControllerChannel.ignored());
        channel.listeners(NEW);
        assertThat(channel.isOutdated()).isTrue();

        channel.sendRequest(lifecycleRegistration(), FakeControllerChannel.ignored());

        assertThat(controller.registration(0).listeners()).isEqualTo(OLD.toBrokerRegistrationRequest());
        assertThat(controller.registration(1).listeners()).isEqualTo(NEW.toBrokerRegistrationRequest());
        assertThat(channel.isOutdated()).isFalse();
    }

    @Test
    void amendsWithEverythingElseAsItWasRegistered() {
        channel.listeners(OLD);
        channel.sendRequest(lifecycleRegistration(), FakeControllerChannel.ignored());
        channel.listeners(NEW);

        CompletableFuture<Void> answer = channel.amend();

        assertThat(controller.registration(1))
                .isEqualTo(controller.registration(0).duplicate().setListeners(NEW.toBrokerRegistrationRequest()));
        assertThat(answer).isNotDone();
        controller.answer(Errors.NONE);
        controller.answer(Errors.NONE);
        assertThat(answer).isCompletedWithValue(null);
    }

    @Test
    void doesNotAmendWhatWasNeverRegistered() {
        CompletableFuture<Void> answer = channel.amend();

        assertThat(answer).isCompletedExceptionally();
        assertThat(controller.sent).isEmpty();
    }

    @Test
    void triesALateAmendmentAgainWithWhatCountsThen() {
        channel.sendRequest(lifecycleRegistration(), FakeControllerChannel.ignored());
        controller.answer(Errors.NONE);
        channel.listeners(NEW);
        CompletableFuture<Void> answer = channel.amend();
        channel.listeners(OLD);

        controller.timeOut();

        assertThat(answer).isNotDone();
        assertThat(controller.registration(2).listeners()).isEqualTo(OLD.toBrokerRegistrationRequest());
    }

    @Test
    void doesNotTryAnAmendmentAgainThatNobodyWaitsFor() {
        channel.sendRequest(lifecycleRegistration(), FakeControllerChannel.ignored());
        controller.answer(Errors.NONE);
        CompletableFuture<Void> answer = channel.amend();
        answer.cancel(false);

        controller.timeOut();

        assertThat(controller.sent).hasSize(2);
    }

    @Test
    void leavesHeartbeatsAsTheyAre() {
        BrokerHeartbeatRequestData heartbeat = new BrokerHeartbeatRequestData().setBrokerId(1);

        channel.sendRequest(new BrokerHeartbeatRequest.Builder(heartbeat), FakeControllerChannel.ignored());

        assertThat(controller.sent.get(0).data()).isSameAs(heartbeat);
        assertThat(channel.isOutdated()).isFalse();
    }

    private static BrokerRegistrationRequest.Builder lifecycleRegistration() {
        return new BrokerRegistrationRequest.Builder(new BrokerRegistrationRequestData()
                .setBrokerId(1)
                .setClusterId("cluster")
                .setIncarnationId(new Uuid(1, 2))
                .setRack("rack")
                .setLogDirs(List.of(new Uuid(3, 4)))
                .setPreviousBrokerEpoch(7));
    }

    private static ListenerInfo listeners(int port) {
        return ListenerInfo.create(List.of(new Endpoint("PLAINTEXT", SecurityProtocol.PLAINTEXT, "host", port)));
    }
}
