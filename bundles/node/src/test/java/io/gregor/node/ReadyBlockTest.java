package io.gregor.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.node.Role;
import io.gregor.internal.node.RoleReady;
import io.gregor.internal.transport.BoundListeners;
import io.gregor.node.internal.ConfigReading;
import io.gregor.node.internal.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;

class ReadyBlockTest {
    private static final RoleReady READY = new RoleReady() {};

    @TempDir
    Path home;

    private final PrintStream standardOutput = System.out;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private ReadyBlock block;

    @BeforeEach
    void waitForBothRoles() throws IOException {
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        Path file = Files.writeString(
                home.resolve("server.properties"),
                """
                process.roles=broker,controller
                node.id=1
                listeners=PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:9093
                controller.listener.names=CONTROLLER
                """);
        NodeConfig config = ConfigReading.read(Settings.read(file, List.of()), home);
        block = new ReadyBlock(
                distribution(), Map.entry(Map.of(), config), new NodeIdentity(1, "abc", Uuid.ONE_UUID, Map.of()));
    }

    @AfterEach
    void restore() {
        System.setOut(standardOutput);
    }

    @Test
    void tellsOnceWhenEveryRoleIsBoundAndReady() {
        block.bindBound(bound("PLAINTEXT", 22001), role(Role.BROKER));
        block.bindReady(READY, role(Role.BROKER));
        block.bindReady(READY, role(Role.CONTROLLER));
        assertThat(out.size()).isZero();

        block.bindBound(bound("CONTROLLER", 22002), role(Role.CONTROLLER));
        block.bindReady(READY, role(Role.BROKER));

        assertThat(out.toString(StandardCharsets.UTF_8))
                .containsOnlyOnce("Gregor is ready")
                .contains(":22001", ":22002");
    }

    @Test
    void aRoleThatLeftIsNotReady() {
        block.bindBound(bound("PLAINTEXT", 22001), role(Role.BROKER));
        block.bindBound(bound("CONTROLLER", 22002), role(Role.CONTROLLER));
        block.bindReady(READY, role(Role.BROKER));
        block.unbindReady(READY, role(Role.BROKER));
        block.bindReady(READY, role(Role.CONTROLLER));

        assertThat(out.size()).isZero();
    }

    private static Map<String, Object> role(Role role) {
        return Map.of(Role.PROPERTY, role.property());
    }

    private static BoundListeners bound(String name, int port) {
        return new BoundListeners() {
            @Override
            public List<Endpoint> bound() {
                return List.of(new Endpoint(name, SecurityProtocol.PLAINTEXT, "127.0.0.1", port));
            }

            @Override
            public List<Endpoint> advertised() {
                return bound();
            }
        };
    }

    private static BundleContext distribution() {
        return (BundleContext) Proxy.newProxyInstance(
                BundleContext.class.getClassLoader(),
                new Class<?>[] {BundleContext.class},
                (proxy, method, arguments) -> "/opt/gregor");
    }
}
