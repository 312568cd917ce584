package io.gregor.groups.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.testing.FakeNodeConfig;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.server.common.KRaftVersion;
import org.apache.kafka.server.share.SharePartitionKey;
import org.apache.kafka.server.share.persister.NoOpStatePersister;
import org.junit.jupiter.api.Test;

class SharePersisterTest {
    private static final String KEY = "group.share.persister.class.name";
    private static final ShareCoordinatorSearch SEARCH = new ShareCoordinatorSearch(
            new KRaftMetadataCache(1, () -> KRaftVersion.KRAFT_VERSION_1), key -> 0, new ListenerName("PLAINTEXT"));

    @Test
    void nothingIsKeptWhereTheConfigurationSaysSo() {
        for (String name : List.of("", NoOpStatePersister.class.getName())) {
            try (SharePersister persister = of(name)) {
                assertThat(persister.kafka()).isInstanceOf(NoOpStatePersister.class);
            }
        }
    }

    @Test
    void otherClassesAreRefusedWithTheWayOut() {
        assertThatThrownBy(() -> of("com.example.Mine"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(KEY + "=com.example.Mine must be ")
                .hasMessageContaining("DefaultStatePersister");
    }

    @Test
    void thereIsNoCoordinatorBeforeItsTopic() {
        assertThat(SEARCH.getShareCoordinator(
                        SharePartitionKey.getInstance("g", Uuid.ONE_UUID, 0), "__share_group_state"))
                .isEqualTo(Node.noNode());
        assertThat(SEARCH.containsTopic("__share_group_state")).isFalse();
        assertThat(SEARCH.getClusterNodes()).isEmpty();
    }

    private static SharePersister of(String className) {
        return SharePersister.of(
                FakeNodeConfig.of(Map.of(KEY, className)).values(),
                name -> {
                    throw new AssertionError("no client is needed");
                },
                SEARCH);
    }
}
