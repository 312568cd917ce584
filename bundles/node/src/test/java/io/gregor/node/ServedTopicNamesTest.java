package io.gregor.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.testing.Fake;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.MetadataCache;
import org.junit.jupiter.api.Test;

class ServedTopicNamesTest {
    private static final Uuid ORDERS = new Uuid(1, 1);

    private final ServedTopicNames names = new ServedTopicNames();
    private final ServedMetadata metadata =
            Fake.of(ServedMetadata.class, Map.of("cache", Fake.of(MetadataCache.class, (proxy, method, arguments) -> {
                if (method.getName().equals("getTopicName")) {
                    return arguments[0].equals(ORDERS) ? Optional.of("orders") : Optional.empty();
                }
                throw Fake.unexpected(method.getName());
            })));

    @Test
    void knowsNoTopicWithoutMetadata() {
        assertThat(names.name(ORDERS)).isEmpty();
    }

    @Test
    void knowsTheTopicsThatTheBrokerServes() {
        names.bindMetadata(metadata);

        assertThat(names.name(ORDERS)).contains("orders");
        assertThat(names.name(new Uuid(2, 2))).isEmpty();
    }

    @Test
    void forgetsThemWithTheMetadata() {
        names.bindMetadata(metadata);

        names.unbindMetadata(metadata);

        assertThat(names.name(ORDERS)).isEmpty();
    }
}
