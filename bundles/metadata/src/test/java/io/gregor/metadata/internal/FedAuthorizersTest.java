package io.gregor.metadata.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.AuthorizerNotReadyException;
import org.apache.kafka.common.metadata.AccessControlEntryRecord;
import org.apache.kafka.common.metadata.RemoveAccessControlEntryRecord;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.image.loader.LogDeltaManifest;
import org.apache.kafka.metadata.authorizer.StandardAcl;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizationResult;
import org.junit.jupiter.api.Test;

class FedAuthorizersTest {
    private static final Uuid READ = new Uuid(0, 11);
    private static final Action READING = new Action(
            AclOperation.READ, new ResourcePattern(ResourceType.TOPIC, "t", PatternType.LITERAL), 1, false, false);

    private final List<String> faults = new ArrayList<>();
    private final FedAuthorizers fed = new FedAuthorizers(1, (message, cause) -> {
        faults.add(message);
        return new IllegalStateException(message, cause);
    });
    private MetadataImage image = MetadataImage.EMPTY;

    @Test
    void isReadyWithTheFirstImageAlsoWithoutAcls() {
        StandardAuthorizer authorizer = authorizer();
        fed.add(authorizer);
        assertThatThrownBy(() -> mayRead(authorizer)).isInstanceOf(AuthorizerNotReadyException.class);

        // As the loader does with the whole image for a publisher that is new.
        MetadataDelta whole = new MetadataDelta.Builder().setImage(image).build();
        whole.finishSnapshot();
        change(whole);

        assertThat(mayRead(authorizer)).isFalse();
    }

    @Test
    void followsWhatIsAddedAndTakenOut() {
        StandardAuthorizer authorizer = authorizer();
        fed.add(authorizer);

        allow();
        assertThat(mayRead(authorizer)).isTrue();

        takeOut();
        assertThat(mayRead(authorizer)).isFalse();
    }

    @Test
    void oneThatComesLateIsReadyAtOnceWithWhatThereIs() {
        allow();
        StandardAuthorizer late = authorizer();

        fed.add(late);

        assertThat(mayRead(late)).isTrue();
        takeOut();
        assertThat(mayRead(late)).isFalse();
        assertThat(late.acls(AclBindingFilter.ANY)).isEmpty();
    }

    @Test
    void oneThatHasLeftIsToldNothingMore() {
        StandardAuthorizer leaving = authorizer();
        fed.add(leaving);
        allow();

        fed.remove(leaving);
        takeOut();

        assertThat(mayRead(leaving)).isTrue();
    }

    @Test
    void oneThatDoesNotTakeTheAclsIsNotReadyAndKeepsNobodyElseBack() {
        allow();
        StandardAuthorizer broken = new StandardAuthorizer() {
            @Override
            public void loadSnapshot(Map<Uuid, StandardAcl> acls) {
                throw new IllegalStateException("no room");
            }
        };
        StandardAuthorizer good = authorizer();

        fed.add(broken);
        fed.add(good);

        assertThat(faults).singleElement().asString().startsWith("authorizer does not take the ACLs: class=");
        assertThat(mayRead(good)).isTrue();
    }

    private void allow() {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
        delta.replay(new AccessControlEntryRecord()
                .setId(READ)
                .setResourceType(ResourceType.TOPIC.code())
                .setResourceName("t")
                .setPatternType(PatternType.LITERAL.code())
                .setPrincipal("User:alice")
                .setHost("*")
                .setOperation(AclOperation.READ.code())
                .setPermissionType(AclPermissionType.ALLOW.code()));
        change(delta);
    }

    private void takeOut() {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
        delta.replay(new RemoveAccessControlEntryRecord().setId(READ));
        change(delta);
    }

    private void change(MetadataDelta delta) {
        image = delta.apply(new MetadataProvenance(image.offset() + 1, 1, 1, true));
        fed.onMetadataUpdate(
                delta,
                image,
                new LogDeltaManifest.Builder()
                        .provenance(image.provenance())
                        .leaderAndEpoch(LeaderAndEpoch.UNKNOWN)
                        .numBatches(1)
                        .elapsedNs(1)
                        .numBytes(1)
                        .build());
    }

    private static StandardAuthorizer authorizer() {
        StandardAuthorizer authorizer = new StandardAuthorizer();
        authorizer.configure(Map.of());
        authorizer.withPluginMetrics(new PluginMetricsImpl(new Metrics(), new LinkedHashMap<>()));
        return authorizer;
    }

    private static boolean mayRead(StandardAuthorizer authorizer) {
        RequestContext alice = new RequestContext(
                new RequestHeader(ApiKeys.FETCH, (short) 12, "test", 1),
                "connection",
                InetAddress.getLoopbackAddress(),
                new KafkaPrincipal("User", "alice"),
                new ListenerName("PLAINTEXT"),
                SecurityProtocol.PLAINTEXT,
                ClientInformation.EMPTY,
                false);
        return authorizer.authorize(alice, List.of(READING)).equals(List.of(AuthorizationResult.ALLOWED));
    }
}
