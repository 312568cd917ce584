package io.gregor.itest.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.itest.GregorProcess;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.admin.QuorumInfo.ReplicaState;
import org.apache.kafka.clients.admin.RaftVoterEndpoint;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VotersJoinAndLeaveIT {
    @TempDir
    Path directory;

    @Test
    void aControllerJoinsTheQuorumAndTheFirstOneLeavesIt() throws Exception {
        try (NodesOfOneCluster nodes = NodesOfOneCluster.withBootstrapServers(directory, 1, 2)) {
            GregorProcess first = nodes.controller(1, "--standalone");
            GregorProcess second = nodes.controller(2, "--no-initial-controllers");
            nodes.broker(3).awaitReady();

            try (Admin admin = nodes.admin()) {
                assertThat(voters(admin)).containsExactly(1);
                admin.addRaftVoter(
                                2,
                                directoryId(second),
                                Set.of(new RaftVoterEndpoint("CONTROLLER", "127.0.0.1", second.controllerPort())))
                        .all()
                        .get();
                assertThat(voters(admin)).containsExactlyInAnyOrder(1, 2);

                admin.removeRaftVoter(1, directoryId(first)).all().get();

                admin.createTopics(List.of(new NewTopic("after", 1, (short) 1)))
                        .all()
                        .get();
                QuorumInfo quorum = admin.describeMetadataQuorum().quorumInfo().get();
                assertThat(voters(admin)).containsExactly(2);
                assertThat(quorum.leaderId()).isEqualTo(2);
            }
        }
    }

    private static Set<Integer> voters(Admin admin) throws Exception {
        return admin.describeMetadataQuorum().quorumInfo().get().voters().stream()
                .map(ReplicaState::replicaId)
                .collect(Collectors.toSet());
    }

    private static Uuid directoryId(GregorProcess node) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(node.home().resolve("data/meta.properties"))) {
            properties.load(reader);
        }
        return Uuid.fromString(properties.getProperty("directory.id"));
    }
}
