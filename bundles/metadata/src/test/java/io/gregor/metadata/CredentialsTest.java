package io.gregor.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.node.NodeFaults;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeNodeConfig;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.common.metadata.DelegationTokenRecord;
import org.apache.kafka.common.metadata.RemoveDelegationTokenRecord;
import org.apache.kafka.common.metadata.RemoveUserScramCredentialRecord;
import org.apache.kafka.common.metadata.UserScramCredentialRecord;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.security.scram.ScramCredential;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.image.loader.LogDeltaManifest;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.apache.kafka.security.CredentialProvider;
import org.apache.kafka.security.DelegationTokenManager;
import org.apache.kafka.server.fault.FaultHandler;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

class CredentialsTest {
    private static final String SHA_256 = "SCRAM-SHA-256";

    private final Map<Class<?>, Object> services = new HashMap<>();
    private final Set<Class<?>> taken = new HashSet<>();
    private final Metrics metrics = new Metrics();
    private CountedHealth health;
    private Credentials credentials;
    private MetadataImage image = MetadataImage.EMPTY;

    @BeforeEach
    void offer() {
        FakeNodeConfig config = FakeNodeConfig.of(Map.of("delegation.token.secret.key", "secret"));
        FaultHandler failing = (message, fault) -> {
            throw new AssertionError(message, fault);
        };
        NodeFaults faults = Fake.of(NodeFaults.class, Map.of("nonFatal", failing, "fatal", failing));
        health = new CountedHealth(config, faults, metrics);
        credentials = new Credentials(context(), config, health);
    }

    @AfterEach
    void close() {
        health.close();
        metrics.close();
    }

    @Test
    void areThereAndEmptyFromTheStart() {
        assertThat(provider().credentialCache.cache(SHA_256, ScramCredential.class))
                .isNotNull();
        assertThat(stored("alice")).isNull();
        assertThat(manager().isEnabled()).isTrue();
        assertThat(provider().tokenCache.tokens()).isEmpty();

        credentials.deactivate();
        assertThat(taken).containsExactlyInAnyOrder(CredentialProvider.class, DelegationTokenManager.class);
    }

    @Test
    void ofUsersFollowTheMetadata() {
        publish(scram("alice", 4096));
        assertThat(stored("alice").iterations()).isEqualTo(4096);

        publish(scram("alice", 8192), scram("bob", 4096));
        assertThat(stored("alice").iterations()).isEqualTo(8192);
        assertThat(stored("bob").iterations()).isEqualTo(4096);

        publish(new RemoveUserScramCredentialRecord()
                .setName("alice")
                .setMechanism(ScramMechanism.SCRAM_SHA_256.type()));
        assertThat(stored("alice")).isNull();
        assertThat(stored("bob")).isNotNull();
    }

    @Test
    void ofTokensFollowTheMetadata() {
        publish(token("first", 1_000), token("second", 2_000));
        publish(token("first", 3_000));

        assertThat(provider().tokenCache.token("first").expiryTimestamp()).isEqualTo(3_000);
        assertThat(provider().tokenCache.credential(SHA_256, "first")).isNotNull();
        assertThat(manager().getTokens(token -> true)).hasSize(2);

        publish(new RemoveDelegationTokenRecord().setTokenId("first"));
        assertThat(provider().tokenCache.credential(SHA_256, "first")).isNull();
        assertThat(manager().getTokens(token -> true)).hasSize(1);
    }

    private CredentialProvider provider() {
        return (CredentialProvider) services.get(CredentialProvider.class);
    }

    private DelegationTokenManager manager() {
        return (DelegationTokenManager) services.get(DelegationTokenManager.class);
    }

    private @Nullable ScramCredential stored(String user) {
        return provider().credentialCache.cache(SHA_256, ScramCredential.class).get(user);
    }

    private void publish(ApiMessage... records) {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
        List.of(records).forEach(delta::replay);
        MetadataProvenance provenance = new MetadataProvenance(image.offset() + records.length, 1, 1, true);
        image = delta.apply(provenance);
        LogDeltaManifest manifest = new LogDeltaManifest.Builder()
                .provenance(provenance)
                .leaderAndEpoch(LeaderAndEpoch.UNKNOWN)
                .numBatches(1)
                .elapsedNs(1)
                .numBytes(1)
                .build();
        credentials.publishers().forEach(publisher -> publisher.onMetadataUpdate(delta, image, manifest));
    }

    private static UserScramCredentialRecord scram(String user, int iterations) {
        return new UserScramCredentialRecord()
                .setName(user)
                .setMechanism(ScramMechanism.SCRAM_SHA_256.type())
                .setSalt(bytes("salt"))
                .setStoredKey(bytes("stored"))
                .setServerKey(bytes("server"))
                .setIterations(iterations);
    }

    private static DelegationTokenRecord token(String id, long expiryMs) {
        return new DelegationTokenRecord()
                .setOwner("User:alice")
                .setRequester("User:alice")
                .setRenewers(List.of())
                .setIssueTimestamp(1)
                .setMaxTimestamp(10_000)
                .setExpirationTimestamp(expiryMs)
                .setTokenId(id);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private BundleContext context() {
        return Fake.of(BundleContext.class, (proxy, method, arguments) -> {
            if (!method.getName().equals("registerService")) {
                throw Fake.unexpected(method.getName());
            }
            Class<?> type = (Class<?>) arguments[0];
            services.put(type, arguments[1]);
            return Fake.of(ServiceRegistration.class, (registration, call, none) -> {
                taken.add(type);
                return null;
            });
        });
    }
}
