package io.gregor.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.quota.QuotaView.HeldRow;
import io.gregor.testing.Fake;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.metadata.ClientQuotaRecord;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.server.quota.ClientQuotaType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QuotaCommandsTest {
    private final QuotaCommands commands = new QuotaCommands();
    private final MetadataDelta delta =
            new MetadataDelta.Builder().setImage(MetadataImage.EMPTY).build();

    @BeforeEach
    void set() {
        quota("producer_byte_rate", 1_048_576, "user", "alice", "client-id", null);
        quota("producer_byte_rate", 1024, "user", null);
        quota("request_percentage", 12.5, "client-id", "app");
        quota("consumer_byte_rate", 2048, "client-id", "app");
        quota("connection_creation_rate", 3, "ip", "10.0.0.1");
        MetadataImage image = delta.apply(MetadataProvenance.EMPTY);
        ServedMetadata served = Fake.of(
                ServedMetadata.class,
                (proxy, method, arguments) -> method.getName().equals("image") ? image : null);
        commands.metadata = List.of(Map.entry(Map.of("role", "broker"), served));
    }

    @Test
    void showsAllQuotasAndWhoIsHeldBackByWhich() {
        commands.views = List.of(
                () -> List.of(
                        new HeldRow(ClientQuotaType.PRODUCE, "alice", "app", 900),
                        new HeldRow(ClientQuotaType.PRODUCE, "alice", "other", 3_000),
                        new HeldRow(ClientQuotaType.PRODUCE, "bob", "app", 10)),
                () -> List.of(new HeldRow(ClientQuotaType.REQUEST, "bob", "app", 250)));

        assertThat(commands.list().lines().map(line -> line.replaceAll("  +", "|")))
                .containsExactly(
                        "ENTITY|KEY|VALUE|HELD-BACK",
                        "client-id=app|consumer_byte_rate|2048|-",
                        "client-id=app|request_percentage|12.5|1 for 250ms",
                        "ip=10.0.0.1|connection_creation_rate|3|-",
                        "user=<default>|producer_byte_rate|1024|1 for 10ms",
                        "user=alice client-id=<default>|producer_byte_rate|1048576|2 for 3s");
        assertThat(commands.list("entity~alice")).contains("1048576").doesNotContain("2048");
    }

    @Test
    void saysWhenThereIsNoMetadata() {
        commands.metadata = List.of();

        assertThatThrownBy(commands::list).hasMessageContaining("no metadata yet");
    }

    private void quota(String key, double value, @Nullable String... entity) {
        List<ClientQuotaRecord.EntityData> parts = new ArrayList<>();
        for (int i = 0; i < entity.length; i += 2) {
            parts.add(
                    new ClientQuotaRecord.EntityData().setEntityType(entity[i]).setEntityName(entity[i + 1]));
        }
        delta.replay(new ClientQuotaRecord().setEntity(parts).setKey(key).setValue(value));
    }
}
