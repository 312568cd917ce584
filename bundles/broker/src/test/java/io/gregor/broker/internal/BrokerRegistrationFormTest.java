package io.gregor.broker.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.message.BrokerRegistrationRequestData.Feature;
import org.apache.kafka.common.message.BrokerRegistrationRequestData.FeatureCollection;
import org.apache.kafka.common.requests.BrokerHeartbeatRequest;
import org.apache.kafka.common.requests.BrokerRegistrationRequest;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.metadata.ListenerInfo;
import org.junit.jupiter.api.Test;

class BrokerRegistrationFormTest {
    private static final Uuid GOOD = Uuid.randomUuid();
    private static final Uuid FAILED = Uuid.randomUuid();
    private static final ListenerInfo LISTENERS =
            ListenerInfo.create(List.of(new Endpoint("PLAINTEXT", SecurityProtocol.PLAINTEXT, "host", 9093)));

    private final BrokerRegistrationForm form = new BrokerRegistrationForm(() -> List.of(GOOD));

    @Test
    void changesTheListenersAndLeavesFailedDirectoriesOut() {
        BrokerRegistrationRequestData kafkas = new BrokerRegistrationRequestData()
                .setBrokerId(1)
                .setClusterId("cluster")
                .setIncarnationId(new Uuid(1, 2))
                .setRack("rack")
                .setFeatures(new FeatureCollection(
                        List.of(new Feature().setName("metadata.version").setMaxSupportedVersion((short) 1))
                                .iterator()))
                .setLogDirs(List.of(GOOD, FAILED))
                .setPreviousBrokerEpoch(7);
        BrokerRegistrationRequestData before = kafkas.duplicate();

        var renewed = form.renewed(new BrokerRegistrationRequest.Builder(kafkas), LISTENERS);

        assertThat(renewed)
                .hasValueSatisfying(builder -> assertThat(builder.build().data())
                        .isEqualTo(before.duplicate()
                                .setListeners(LISTENERS.toBrokerRegistrationRequest())
                                .setLogDirs(List.of(GOOD))));
        assertThat(kafkas).as("Kafka's own copy").isEqualTo(before);
    }

    @Test
    void leavesHeartbeatsAlone() {
        assertThat(form.renewed(new BrokerHeartbeatRequest.Builder(new BrokerHeartbeatRequestData()), LISTENERS))
                .isEmpty();
    }
}
