package io.gregor.itest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.itest.GregorProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeadingControllerResignsIT {
    @TempDir
    Path directory;

    @Test
    void handsOverWhenItStopsAndIsReplacedWhenItDies() throws Exception {
        try (NodesOfOneCluster nodes = NodesOfOneCluster.withVoters(directory, 1, 2, 3)) {
            Map<Integer, GregorProcess> controllers =
                    Map.of(1, nodes.controller(1), 2, nodes.controller(2), 3, nodes.controller(3));
            nodes.broker(4).awaitReady();

            try (Admin admin = nodes.admin()) {
                int first = leader(admin);
                controllers.get(first).stop();
                create(admin, "after-the-stop");
                int second = leader(admin);
                assertThat(second).isNotEqualTo(first);
                assertThat(controllers.get(first).logText())
                        .contains("Completed graceful shutdown of RaftClient")
                        .doesNotContain("Graceful shutdown timed out");

                controllers.get(first).launchAgain();
                controllers.get(first).awaitControllerReady();
                controllers.get(second).kill();
                create(admin, "after-the-death");
                assertThat(leader(admin)).isNotEqualTo(second);
                assertThat(admin.listTopics().names().get()).contains("after-the-stop", "after-the-death");
            }
        }
    }

    private static void create(Admin admin, String name) throws Exception {
        admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get();
    }

    private static int leader(Admin admin) throws Exception {
        return admin.describeMetadataQuorum().quorumInfo().get().leaderId();
    }
}
