package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.plugin.Standing;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeNodeConfig;
import io.gregor.testing.FakeReference;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.AuthorizerNotReadyException;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.metadata.authorizer.StandardAcl;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.authorizer.AuthorizerServerInfo;
import org.junit.jupiter.api.Test;
import org.osgi.framework.ServiceReference;

class AuthorizersTest {
    private static final RequestContext BOB = who("bob", "PLAINTEXT");
    private static final RequestContext ROOT = who("root", "PLAINTEXT");
    private static final RequestContext PEER = who("ANONYMOUS", "CONTROLLER");

    private static final StandardAcl READ_FOR_BOB = new StandardAcl(
            ResourceType.TOPIC, "t", PatternType.LITERAL, "User:bob", "*", AclOperation.READ, AclPermissionType.ALLOW);

    private final Metrics metrics = new Metrics();
    private final List<String> refusals = new ArrayList<>();
    private boolean isNodeStopping;

    @Test
    void everythingIsAllowedWithoutAuthorizer() {
        Authorizers authorizers = authorizers(Map.of());

        assertThat(authorizers.choice().current().isOpen()).isTrue();
        assertThat(mayRead(authorizers, BOB)).isTrue();
    }

    @Test
    void onlySuperUsersAndTheClusterItselfPassWhileTheNamedOneIsNotThere() {
        Authorizers authorizers = authorizers(Map.of("authorizer.class.name", "a.B"));

        assertThat(authorizers.choice().current().isOpen()).isFalse();
        assertThat(mayRead(authorizers, BOB)).isFalse();
        assertThat(mayRead(authorizers, ROOT)).isTrue();
        assertThat(mayActAsCluster(authorizers, PEER)).isTrue();
        assertThat(mayActAsCluster(authorizers, BOB)).isFalse();
        assertThat(mayRead(authorizers, PEER)).isFalse();
    }

    @Test
    void theOneThatIsThereDecidesWithTheNodesValuesAndEndpoints() {
        Authorizers authorizers = authorizers(Map.of());
        Letting bobs = new Letting("bob");

        authorizers.add(reference(7), bobs);

        assertThat(mayRead(authorizers, BOB)).isTrue();
        assertThat(mayRead(authorizers, ROOT)).isFalse();
        assertThat(bobs.calls).containsExactly("configure", "start [PLAINTEXT, CONTROLLER] of cluster");
    }

    @Test
    void onlySuperUsersPassUntilItIsReady() {
        Authorizers authorizers = authorizers(Map.of());
        Letting bobs = new Letting("bob");
        bobs.ready = new CompletableFuture<>();

        authorizers.add(reference(7), bobs);
        assertThat(mayRead(authorizers, BOB)).isFalse();
        assertThat(mayRead(authorizers, ROOT)).isTrue();

        bobs.ready.complete(null);
        assertThat(mayRead(authorizers, BOB)).isTrue();
    }

    @Test
    void onlySuperUsersPassIfItFailsToStart() {
        Authorizers authorizers = authorizers(Map.of());
        Letting bobs = new Letting("bob");
        bobs.ready = CompletableFuture.failedFuture(new IllegalStateException("no directory"));

        authorizers.add(reference(7), bobs);

        assertThat(mayRead(authorizers, BOB)).isFalse();
    }

    @Test
    void onlySuperUsersPassWhileItsBundleIsOnlyStopped() {
        Authorizers authorizers = authorizers(Map.of());
        authorizers.add(reference(7), new Letting("bob"));

        authorizers.remove(reference(7));

        assertThat(authorizers.choice().current().isOpen()).isFalse();
        assertThat(mayRead(authorizers, BOB)).isFalse();
    }

    @Test
    void theFormerBehaviourIsBackWhenItsBundleIsUninstalled() {
        Authorizers authorizers = authorizers(Map.of());
        authorizers.add(reference(7), new Letting("nobody"));
        authorizers.remove(reference(7));

        authorizers.uninstalled(7);

        assertThat(authorizers.choice().current().isOpen()).isTrue();
        assertThat(mayRead(authorizers, BOB)).isTrue();
    }

    @Test
    void theFormerBehaviourIsBackAsSoonAsTheDeployerTakesItsBundleOut() {
        Authorizers authorizers = authorizers(Map.of());
        authorizers.add(reference(7), new Letting("nobody"));

        authorizers.choice().stand(Map.of(7L, Standing.LEAVING));
        assertThat(mayRead(authorizers, BOB)).isTrue();

        authorizers.remove(reference(7));
        authorizers.choice().stand(Map.of());
        assertThat(mayRead(authorizers, BOB)).isTrue();
    }

    @Test
    void oneThatIsHeldDoesNotCountUntilItIsLive() {
        Authorizers authorizers = authorizers(Map.of());
        authorizers.choice().stand(Map.of(7L, Standing.HELD));

        authorizers.add(reference(7), new Letting("nobody"));
        assertThat(mayRead(authorizers, BOB)).isTrue();

        authorizers.choice().stand(Map.of());
        assertThat(mayRead(authorizers, BOB)).isFalse();
    }

    @Test
    void aNewerBundleOfTheNameDecidesAtOnceAndTheFormerAgainWhenItGoes() {
        Authorizers authorizers = authorizers(Map.of());
        authorizers.add(plugin(7, 70), new Letting("bob"));

        authorizers.add(plugin(8, 80), new Letting("root"));
        assertThat(mayRead(authorizers, BOB)).isFalse();
        assertThat(mayRead(authorizers, ROOT)).isTrue();

        authorizers.remove(plugin(8, 80));
        authorizers.uninstalled(80);
        assertThat(mayRead(authorizers, BOB)).isTrue();
    }

    @Test
    void theFormerOfTheNameDecidesWhileTheNewerIsNotReady() {
        Authorizers authorizers = authorizers(Map.of());
        authorizers.add(plugin(7, 70), new Letting("bob"));
        Letting roots = new Letting("root");
        roots.ready = CompletableFuture.failedFuture(new IllegalStateException("no directory"));

        authorizers.add(plugin(8, 80), roots);

        assertThat(mayRead(authorizers, BOB)).isTrue();
    }

    @Test
    void whoStillCallsOneThatHasLeftIsSentToTheNext() {
        Authorizers authorizers = authorizers(Map.of());
        authorizers.add(plugin(7, 70), new Letting("bob"));
        Decider before = authorizers.choice().current();
        authorizers.add(plugin(8, 80), new Letting("root"));

        authorizers.remove(plugin(7, 70));

        assertThat(before.helper().authorize(ROOT, AclOperation.READ, ResourceType.TOPIC, "t"))
                .isTrue();
    }

    @Test
    void decidesToTheEndWhenTheNodeStops() {
        Authorizers authorizers = authorizers(Map.of());
        authorizers.add(reference(7), new Letting("bob"));
        isNodeStopping = true;

        authorizers.remove(reference(7));

        assertThat(mayRead(authorizers, BOB)).isTrue();
    }

    @Test
    void aclsOfTheMetadataDecideOnceTheyAreLoaded() {
        Authorizers authorizers = authorizers(Map.of("authorizer.class.name", StandardAuthorizer.class.getName()));
        StandardAuthorizer standard = new StandardAuthorizer();
        authorizers.add(reference(7), standard);
        assertThat(mayRead(authorizers, BOB)).isFalse();
        assertThat(mayRead(authorizers, ROOT)).isTrue();
        assertThatThrownBy(() -> mayActAsCluster(authorizers, PEER)).isInstanceOf(AuthorizerNotReadyException.class);

        standard.addAcl(Uuid.randomUuid(), READ_FOR_BOB);
        standard.completeInitialLoad();

        assertThat(mayRead(authorizers, BOB)).isTrue();
        assertThat(mayRead(authorizers, ROOT)).isTrue();
        assertThat(mayActAsCluster(authorizers, PEER)).isFalse();
    }

    @Test
    void everyoneMayDoWhatNoAclIsForIfTheOperatorWantsIt() {
        Authorizers authorizers = authorizers(Map.of("allow.everyone.if.no.acl.found", "true"));
        StandardAuthorizer standard = new StandardAuthorizer();
        authorizers.add(reference(7), standard);
        standard.completeInitialLoad();
        assertThat(mayRead(authorizers, PEER)).isTrue();

        standard.addAcl(Uuid.randomUuid(), READ_FOR_BOB);

        assertThat(mayRead(authorizers, BOB)).isTrue();
        assertThat(mayRead(authorizers, PEER)).isFalse();
    }

    @Test
    void oneThatHasMetricsShowsThemForEachRoleUntilItLeaves() {
        Authorizers authorizers = authorizers(Map.of());
        StandardAuthorizer standard = new StandardAuthorizer();
        authorizers.add(reference(7), standard);
        standard.completeInitialLoad();
        standard.addAcl(Uuid.randomUuid(), READ_FOR_BOB);

        assertThat(mayRead(authorizers, BOB)).isTrue();

        assertThat(figure("acls-total-count", "broker")).isEqualTo(1);
        assertThat(figure("acls-total-count", "controller")).isEqualTo(1);
        assertThat(((Number) figure("authorization-allowed-rate-per-minute", "broker")).doubleValue())
                .isPositive();

        StandardAuthorizer next = new StandardAuthorizer();
        authorizers.add(plugin(8, 80), next);
        authorizers.remove(reference(7));
        assertThat(figure("acls-total-count", "broker")).isEqualTo(0);
        authorizers.remove(plugin(8, 80));
        assertThat(metrics.metrics().keySet()).noneMatch(name -> name.group().equals("plugins"));
    }

    private Object figure(String name, String role) {
        return metrics.metrics().values().stream()
                .filter(metric -> metric.metricName().name().equals(name)
                        && role.equals(metric.metricName().tags().get("role"))
                        && "StandardAuthorizer"
                                .equals(metric.metricName().tags().get("class")))
                .findFirst()
                .orElseThrow()
                .metricValue();
    }

    @Test
    void superUsersThatAreNoPrincipalsRefuseTheStart() {
        authorizers(Map.of("super.users", "alice"));

        assertThat(refusals).singleElement().asString().startsWith("super.users=alice must be principals with");
    }

    private Authorizers authorizers(Map<String, String> lines) {
        Map<String, String> all = new HashMap<>(Map.of(
                "super.users",
                "User:root; User:admin",
                "listeners",
                "PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093",
                "listener.security.protocol.map",
                "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"));
        all.putAll(lines);
        NodeFaults faults = Fake.of(NodeFaults.class, (self, method, arguments) -> {
            refusals.add((String) arguments[0]);
            return null;
        });
        return Authorizers.of(FakeNodeConfig.of(all), FakeNodeConfig.IDENTITY, faults, metrics, () -> isNodeStopping);
    }

    private static ServiceReference<Authorizer> reference(long id) {
        return FakeReference.of(id);
    }

    private static ServiceReference<Authorizer> plugin(long id, long bundle) {
        return new FakeReference<>(id, 0, bundle, "plugin", Map.of());
    }

    private static boolean mayRead(Authorizers authorizers, RequestContext who) {
        return authorizers.choice().current().helper().authorize(who, AclOperation.READ, ResourceType.TOPIC, "t");
    }

    private static boolean mayActAsCluster(Authorizers authorizers, RequestContext who) {
        return authorizers
                .choice()
                .current()
                .helper()
                .authorize(who, AclOperation.CLUSTER_ACTION, ResourceType.CLUSTER, "kafka-cluster");
    }

    private static RequestContext who(String name, String listener) {
        return new RequestContext(
                new RequestHeader(ApiKeys.METADATA, (short) 12, "test", 1),
                "connection",
                InetAddress.getLoopbackAddress(),
                new KafkaPrincipal("User", name),
                new ListenerName(listener),
                SecurityProtocol.PLAINTEXT,
                ClientInformation.EMPTY,
                true);
    }

    /** Allows one principal everything. */
    private static final class Letting extends FakeAuthorizer {
        final List<String> calls = new ArrayList<>();
        CompletableFuture<Void> ready = CompletableFuture.completedFuture(null);

        Letting(String name) {
            super((who, action) -> who.principal().getName().equals(name));
        }

        @Override
        public void configure(Map<String, ?> configs) {
            calls.add("configure");
        }

        @Override
        public Map<Endpoint, ? extends CompletionStage<Void>> start(AuthorizerServerInfo server) {
            calls.add("start "
                    + server.endpoints().stream().map(Endpoint::listener).toList() + " of "
                    + server.clusterResource().clusterId());
            return Map.of(server.interBrokerEndpoint(), ready);
        }
    }
}
