package io.gregor.itest.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.plugins.kinds.SecretTopics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.server.authorizer.Authorizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** While an authorizer is replaced over and over, nobody is let in who must not, and nobody is kept out who may. */
class AuthorizersAreSwappedWithoutAGapIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int SWAPS = 10;
    private static final String NOT_ALLOWED = "TopicAuthorizationException";
    private static final String UNKNOWN = "UnknownTopicOrPartitionException";

    @TempDir
    Path home;

    @Test
    void asServices() throws Exception {
        try (GregorProcess node = GregorProcess.start(home)) {
            swap(node, "Authorizer");
        }
    }

    @Test
    void asTheClassOfAKey() throws Exception {
        Files.createDirectories(home.resolve("deploy"));
        drop("Key", 0);
        try (GregorProcess node = GregorProcess.start(home, "authorizer.class.name=" + SecretTopics.class.getName())) {
            swap(node, "Key");
        }
    }

    private void swap(GregorProcess node, String kind) throws Exception {
        drop(kind, 0);
        awaitError(node, "secret-0", NOT_ALLOWED);
        Watch watch = new Watch(node);
        Thread watching = new Thread(watch, "watch");
        watching.start();
        for (int version = 1; version <= SWAPS; version++) {
            drop(kind, version);
            awaitError(node, "only-" + version + "-hides-this", NOT_ALLOWED);
        }
        watch.isStopped.set(true);
        watching.join();
        System.out.println("authorizers swapped: kind=" + kind + " swaps=" + SWAPS + " asked=" + watch.asked);
        assertThat(watch.wrong).isEmpty();
        assertThat(watch.asked.get()).isGreaterThan(SWAPS);
    }

    /** Each version hides what begins with {@code secret}; another name is hidden by that version only. */
    private void drop(String kind, int version) throws Exception {
        PluginJar jar = kind.equals("Key")
                ? Kinds.of("swapped", "1.0." + version, SecretTopics.class)
                : Kinds.service("swapped", "1.0." + version, Authorizer.class, SecretTopics.class);
        jar.header("Test-Also-Hidden", "only-" + version + "-").writeTo(home.resolve("deploy/swapped.jar"));
    }

    private static void awaitError(GregorProcess node, String topic, String error) {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(Kinds.described(node, topic)).isEqualTo(error));
    }

    /** Asks all the time, and keeps what it should not have been told. */
    private static final class Watch implements Runnable {
        final AtomicBoolean isStopped = new AtomicBoolean();
        final AtomicInteger asked = new AtomicInteger();
        final Set<String> wrong = new ConcurrentSkipListSet<>();
        private final GregorProcess node;

        Watch(GregorProcess node) {
            this.node = node;
        }

        @Override
        public void run() {
            try (Admin admin = Kinds.admin(node)) {
                while (!isStopped.get()) {
                    expect(admin, "secret-1", NOT_ALLOWED);
                    expect(admin, "open-1", UNKNOWN);
                }
            }
        }

        private void expect(Admin admin, String topic, String error) {
            asked.incrementAndGet();
            try {
                admin.describeTopics(Set.of(topic)).allTopicNames().get();
                wrong.add(topic + " described");
            } catch (ExecutionException refused) {
                String told = refused.getCause().getClass().getSimpleName();
                if (!told.equals(error)) {
                    wrong.add(topic + " " + refused.getCause());
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
