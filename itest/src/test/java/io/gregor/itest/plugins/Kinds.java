package io.gregor.itest.plugins;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.plugins.kinds.Registering;
import io.gregor.itest.plugins.kinds.Told;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** Jars of the plugins in {@code kinds}, and what clients see of them. Owned by the test thread. */
final class Kinds {
    private static final String[] PACKAGES = {
        "io.gregor.api.security",
        "org.apache.kafka.common",
        "org.apache.kafka.common.acl",
        "org.apache.kafka.common.errors",
        "org.apache.kafka.common.metrics",
        "org.apache.kafka.common.network",
        "org.apache.kafka.common.resource",
        "org.apache.kafka.common.security.auth",
        "org.apache.kafka.common.security.authenticator",
        "org.apache.kafka.server.authorizer",
        "org.apache.kafka.server.policy",
        "org.apache.kafka.server.quota",
        "org.apache.kafka.server.telemetry",
        "org.osgi.framework"
    };

    private Kinds() {}

    /** A jar with these classes, which registers nothing. */
    static PluginJar of(String name, String version, Class<?>... classes) {
        return PluginJar.named("io.gregor.itest." + name, version)
                .imports(PACKAGES)
                .classes(Told.class)
                .classes(classes);
    }

    /** A jar whose first class is a service. */
    static PluginJar service(String name, String version, Class<?> type, Class<?>... classes) {
        return of(name, version, classes)
                .activator(Registering.class)
                .header("Test-Interface", type.getName())
                .header("Test-Class", classes[0].getName());
    }

    /** Asks for a topic over a new connection: the name of the error, or {@code none}. */
    static String described(GregorProcess node, String topic) throws Exception {
        try (Admin admin = admin(node)) {
            return error(
                    () -> admin.describeTopics(Set.of(topic)).allTopicNames().get(10, TimeUnit.SECONDS));
        }
    }

    /** Creates a topic: the name of the error, or {@code none}. */
    static String created(GregorProcess node, String topic) throws Exception {
        try (Admin admin = admin(node)) {
            return error(() -> admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1)))
                    .all()
                    .get(10, TimeUnit.SECONDS));
        }
    }

    static Admin admin(GregorProcess node) {
        return Admin.create(Map.of("bootstrap.servers", node.bootstrap()));
    }

    private static String error(Call call) throws Exception {
        try {
            call.run();
            return "none";
        } catch (ExecutionException refused) {
            return refused.getCause().getClass().getSimpleName();
        }
    }

    private interface Call {
        void run() throws Exception;
    }

    /** What the plugins have told. */
    static List<String> told(Path home) throws IOException {
        Path file = Told.file(home);
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }
}
