package io.gregor.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WaitingAclChangesTest {
    private static final String PREFIX = "kafka.server:type=DelayedOperationPurgatory,delayedOperation=AlterAcls,name=";

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final WaitingAclChanges changes = new WaitingAclChanges();

    @AfterEach
    void takeAway() throws Exception {
        changes.deactivate();
        assertThat(server.isRegistered(new ObjectName(PREFIX + "PurgatorySize")))
                .isFalse();
    }

    @Test
    void aChangeIsCountedUntilItEndsWellOrNot() throws Exception {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();
        changes.count(first);
        changes.count(second);
        assertThat(figure("PurgatorySize")).isEqualTo(2);
        assertThat(figure("NumDelayedOperations")).isEqualTo(2);

        first.complete("");
        second.completeExceptionally(new IllegalStateException("refused"));

        assertThat(figure("NumDelayedOperations")).isEqualTo(0);
    }

    private Object figure(String name) throws Exception {
        return server.getAttribute(new ObjectName(PREFIX + name), "Value");
    }
}
