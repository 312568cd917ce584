package io.gregor.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.node.NodeFaults;
import io.gregor.testing.Fake;
import io.gregor.testing.FakeNodeConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Dictionary;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

public class NamedServicesTest {
    private static final String KEY = "authorizer.class.name";

    @TempDir
    Path folder;

    /** What happened, as the classes of the test and the framework tell: {@code register 1}, {@code close 1}. */
    private static final List<String> EVENTS = new ArrayList<>();

    private final List<String> refusals = new ArrayList<>();
    private final DeployedBundles deployed = new DeployedBundles();
    private final BundleClasses classes = new BundleClasses(deployed);

    /** Called by the classes of the test. */
    public static void tell(String event) {
        EVENTS.add(event);
    }

    @AfterEach
    void forget() {
        EVENTS.clear();
    }

    @Test
    void makesAServiceOfTheClassThatAKeyNames() {
        deployed.replace(List.of(authorizer("1")));

        services(Map.of("metric.reporters", "", KEY, "plug.A"));

        assertThat(EVENTS).containsExactly("configure 1 node=1", "register 1 of " + KEY);
        assertThat(refusals).isEmpty();
    }

    @Test
    void refusesTheStartWithKeyAndReason() {
        services(Map.of("metric.reporters", "", KEY, "plug.A"));

        assertThat(refusals).singleElement().asString().startsWith(KEY + "=plug.A is neither a class of");
    }

    @Test
    void refusesTheStartWhenTheClassIsOfAnotherKind() {
        services(Map.of("metric.reporters", "", KEY, "java.util.ArrayList"));

        assertThat(refusals)
                .containsExactly(
                        KEY + "=java.util.ArrayList must implement org.apache.kafka.server.authorizer.Authorizer");
    }

    @Test
    void refusesTheStartWhenTheInstanceDoesNotTakeItsValues() {
        deployed.replace(List.of(authorizer("bad")));

        services(Map.of("metric.reporters", "", KEY, "plug.A"));

        assertThat(refusals).containsExactly(KEY + "=plug.A cannot be used: bad values");
    }

    @Test
    void theInstanceOfANewerBundleComesBeforeTheFormerGoes() {
        Bundle former = authorizer("1");
        deployed.replace(List.of(former));
        var unused = services(Map.of("metric.reporters", "", KEY, "plug.A"));
        EVENTS.clear();
        deployed.replace(List.of(authorizer("2"), former));

        assertThat(EVENTS).containsExactly("configure 2 node=1", "register 2 of " + KEY, "unregister 1", "close 1");
    }

    @Test
    void theFormerStaysWhenTheNewerDoesNotTakeItsValues() {
        Bundle former = authorizer("1");
        deployed.replace(List.of(former));
        var unused = services(Map.of("metric.reporters", "", KEY, "plug.A"));
        EVENTS.clear();
        deployed.replace(List.of(authorizer("bad"), former));

        assertThat(EVENTS).isEmpty();
    }

    @Test
    void nothingHappensWhileTheClassIsTheSame() {
        Bundle former = authorizer("1");
        deployed.replace(List.of(former));
        var unused = services(Map.of("metric.reporters", "", KEY, "plug.A"));
        EVENTS.clear();
        deployed.replace(List.of(CompiledBundle.empty(), former));

        assertThat(EVENTS).isEmpty();
    }

    @Test
    void goesWithTheLastBundleAndComesBackWithTheNext() {
        deployed.replace(List.of(authorizer("1")));
        var unused = services(Map.of("metric.reporters", "", KEY, "plug.A"));
        EVENTS.clear();

        deployed.replace(List.of());
        deployed.replace(List.of(authorizer("2")));

        assertThat(EVENTS).containsExactly("unregister 1", "close 1", "configure 2 node=1", "register 2 of " + KEY);
    }

    @Test
    void reportersOfTheListComeAndGoWithAChangeAndTheirUsersCloseThem() {
        deployed.replace(List.of(reporter("R", "r"), reporter("S", "s")));
        FakeNodeConfig before = FakeNodeConfig.of(Map.of("metric.reporters", "plug.R"));
        NamedServices services = services(before);
        FakeNodeConfig after = FakeNodeConfig.of(Map.of("metric.reporters", "plug.S"));

        PreparedChange change = services.prepare(new ConfigChange(before, after, Set.of("metric.reporters"), false));
        assertThat(EVENTS)
                .containsExactly("configure r node=1", "register r of metric.reporters", "configure s node=1");
        var unused = change.commit();

        assertThat(EVENTS).endsWith("register s of metric.reporters", "unregister r");
    }

    @Test
    void aReporterThatWasTriedIsClosedWhenTheChangeIsUndone() {
        deployed.replace(List.of(reporter("R", "r"), reporter("S", "s")));
        FakeNodeConfig before = FakeNodeConfig.of(Map.of("metric.reporters", "plug.R"));
        NamedServices services = services(before);
        FakeNodeConfig after = FakeNodeConfig.of(Map.of("metric.reporters", "plug.R,plug.S"));

        services.prepare(new ConfigChange(before, after, Set.of("metric.reporters"), false))
                .undo();

        assertThat(EVENTS).endsWith("configure s node=1", "close s");
    }

    @Test
    void aReporterThatIsNowhereIsRefused() {
        FakeNodeConfig before = FakeNodeConfig.of(Map.of("metric.reporters", ""));
        NamedServices services = services(before);
        FakeNodeConfig after = FakeNodeConfig.of(Map.of("metric.reporters", "plug.R"));

        assertThatThrownBy(() -> services.prepare(new ConfigChange(before, after, Set.of("metric.reporters"), false)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("metric.reporters=plug.R is neither a class of Kafka's libraries nor");
    }

    private NamedServices services(Map<String, String> lines) {
        return services(FakeNodeConfig.of(lines));
    }

    private NamedServices services(FakeNodeConfig config) {
        NodeFaults faults = Fake.of(NodeFaults.class, (self, method, arguments) -> {
            refusals.add((String) arguments[0]);
            return null;
        });
        BundleContext context = Fake.of(BundleContext.class, (self, method, arguments) -> {
            Object service = arguments[1];
            EVENTS.add("register " + service + " of " + ((Dictionary<?, ?>) arguments[2]).get("gregor.config.key"));
            return Fake.of(ServiceRegistration.class, (registration, call, none) -> {
                EVENTS.add("unregister " + service);
                return null;
            });
        });
        return new NamedServices(context, config, faults, classes, deployed);
    }

    private Bundle authorizer(String version) {
        return CompiledBundle.of(
                folder,
                "A",
                """
                import java.util.*;
                import org.apache.kafka.common.acl.*;
                import org.apache.kafka.server.authorizer.*;
                public class A implements Authorizer {
                """
                        + called(version)
                        + """
                    public Map<org.apache.kafka.common.Endpoint, java.util.concurrent.CompletionStage<Void>> start(
                            AuthorizerServerInfo info) { return Map.of(); }
                    public List<AuthorizationResult> authorize(AuthorizableRequestContext c, List<Action> a) {
                        return List.of(); }
                    public List<java.util.concurrent.CompletionStage<AclCreateResult>> createAcls(
                            AuthorizableRequestContext c, List<AclBinding> b) { return List.of(); }
                    public List<java.util.concurrent.CompletionStage<AclDeleteResult>> deleteAcls(
                            AuthorizableRequestContext c, List<AclBindingFilter> b) { return List.of(); }
                    public Iterable<AclBinding> acls(AclBindingFilter filter) { return List.of(); }
                }
                """);
    }

    private Bundle reporter(String name, String version) {
        return CompiledBundle.of(
                folder,
                name,
                """
                import java.util.*;
                import org.apache.kafka.common.metrics.*;
                public class %s implements MetricsReporter {
                """
                                .formatted(name)
                        + called(version)
                        + """
                    public void init(List<KafkaMetric> metrics) {}
                    public void metricChange(KafkaMetric metric) {}
                    public void metricRemoval(KafkaMetric metric) {}
                }
                """);
    }

    private static String called(String version) {
        return """
                public void configure(Map<String, ?> values) {
                    if ("%1$s".equals("bad")) throw new IllegalArgumentException("bad values");
                    io.gregor.plugins.NamedServicesTest.tell("configure %1$s node=" + values.get("node.id"));
                }
                public void close() { io.gregor.plugins.NamedServicesTest.tell("close %1$s"); }
                public String toString() { return "%1$s"; }
                """
                .formatted(version);
    }
}
