package io.gregor.plugins.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeployerThreadTest {
    private final List<String> done = new CopyOnWriteArrayList<>();
    private final CountDownLatch last = new CountDownLatch(1);
    private final DeployerThread thread = new DeployerThread(() -> {
        throw new IllegalStateException("a look that fails");
    });

    @AfterEach
    void stop() {
        thread.stop();
    }

    @Test
    void ordersAreCarriedOutOneAfterTheOtherWhateverFails() throws InterruptedException {
        thread.submit(() -> done.add("first"));
        thread.submit(() -> {
            throw new IllegalStateException("an order that fails");
        });
        thread.submit(() -> done.add("second"));
        thread.submit(last::countDown);

        thread.start();

        assertThat(last.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(done).containsExactly("first", "second");
    }

    @Test
    void nothingIsDoneAfterAHalt() {
        thread.submit(() -> done.add("too late"));
        thread.halt();

        thread.start();
        thread.stop();

        assertThat(done).isEmpty();
    }
}
