package io.gregor.plugins.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.osgi.framework.BundleException;

class PluginCallsTest {
    @Test
    void whatReturnsInTimeIsPassedOn() throws Exception {
        PluginCalls calls = new PluginCalls(PluginCalls.LIMIT);

        assertThat(calls.call(
                        "masking", "its start", () -> Thread.currentThread().getName()))
                .isEqualTo("gregor-plugin-masking");
        assertThatThrownBy(() -> calls.call("masking", "its start", () -> {
                    throw new BundleException("no");
                }))
                .isInstanceOf(BundleException.class)
                .hasMessage("no");
        assertThatThrownBy(() -> calls.call("masking", "its start", () -> {
                    throw new IllegalArgumentException("wrong");
                }))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatDoesNotReturnIsLeftToItsThreadUntilTheNodeStops() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch woken = new CountDownLatch(1);
        PluginCalls calls = new PluginCalls(Duration.ofMillis(10));

        assertThatThrownBy(() -> calls.call("masking", "its start", () -> {
                    try {
                        return never.await(1, TimeUnit.MINUTES);
                    } finally {
                        woken.countDown();
                    }
                }))
                .isInstanceOf(PluginCalls.Stuck.class)
                .hasMessage("its start does not return: waitedMs=10 thread=gregor-plugin-masking");

        calls.interrupt();
        assertThat(woken.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
