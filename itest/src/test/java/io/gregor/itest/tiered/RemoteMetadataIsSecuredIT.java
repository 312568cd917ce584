package io.gregor.itest.tiered;

import static io.gregor.itest.tiered.TieredClients.LIMIT;
import static io.gregor.itest.tiered.TieredClients.RECORDS;
import static io.gregor.itest.tiered.TieredClients.TIERED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.security.SecuredNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clients of the remote metadata's topic log in as the node's settings say, and may do what ACLs say. */
class RemoteMetadataIsSecuredIT {
    private static final String METADATA = "__remote_log_metadata";
    private static final String CLIENT = "rlmm.config.remote.log.metadata.common.client.";

    @Test
    void segmentsAreCopiedWhenTheUserOfTheMetadataHasItsRights(@TempDir Path home) throws Exception {
        List<String> settings = new ArrayList<>(TieredClients.deploy(home));
        settings.add("remote.log.metadata.manager.listener.name=SASL_PLAINTEXT");
        settings.add(CLIENT + "sasl.mechanism=PLAIN");
        settings.add(CLIENT + "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required"
                + " username=\"alice\" password=\"alice-secret\";");
        try (SecuredNode node = SecuredNode.startWithAuthorizer(home, settings.toArray(String[]::new));
                TieredClients clients =
                        new TieredClients(home, node.clients(SecurityProtocol.SASL_PLAINTEXT, "PLAIN", "admin"))) {
            clients.create("t", TIERED);
            clients.produce("t");
            await().during(Duration.ofSeconds(2)).atMost(LIMIT).until(() -> clients.files("t") == 0);
            assertThat(clients.admin().listTopics().names().get()).doesNotContain(METADATA);

            clients.admin().createAcls(rights()).all().get();

            clients.awaitLocalStart("t", 1_500);
            assertThat(clients.consumed("t")).isEqualTo(RECORDS);
        }
    }

    private static List<AclBinding> rights() {
        return Stream.of(AclOperation.CREATE, AclOperation.READ, AclOperation.WRITE)
                .map(operation -> new AclBinding(
                        new ResourcePattern(ResourceType.TOPIC, METADATA, PatternType.LITERAL),
                        new AccessControlEntry("User:alice", "*", operation, AclPermissionType.ALLOW)))
                .toList();
    }
}
