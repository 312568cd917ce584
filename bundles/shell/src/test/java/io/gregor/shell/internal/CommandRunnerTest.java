package io.gregor.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.gogo.runtime.threadio.ThreadIOImpl;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CommandRunnerTest {
    /** Commands as they are written in other bundles. */
    public static final class Samples {
        private final CountDownLatch entered = new CountDownLatch(1);

        public String list(String... words) {
            return String.join("+", words);
        }

        public void print() {
            System.out.println("printed");
        }

        public String fail() {
            throw new IllegalArgumentException("port=0 must be > 0");
        }

        public int read() throws Exception {
            return System.in.read();
        }

        public void hang() throws InterruptedException {
            entered.countDown();
            new CountDownLatch(1).await();
        }
    }

    /** Stands in front of the streams of the whole process, so there is one. */
    private static final ThreadIOImpl THREAD_IO = new ThreadIOImpl();

    private final CommandProcessorImpl processor = new CommandProcessorImpl(THREAD_IO);
    private final CommandRunner runner = new CommandRunner(processor);
    private final Samples samples = new Samples();

    @BeforeAll
    static void takeStreams() {
        THREAD_IO.start();
    }

    @AfterAll
    static void giveStreamsBack() {
        THREAD_IO.stop();
    }

    @BeforeEach
    void addCommands() {
        for (String function : new String[] {"list", "print", "fail", "read", "hang"}) {
            processor.addCommand("sample", samples, function);
        }
    }

    @AfterEach
    void stop() {
        processor.stop();
    }

    @Test
    void answersWithWhatACommandReturnsOrPrints() {
        assertThat(runner.run("sample:list a client=kcat b~c *")).isEqualTo(new Reply("a+client=kcat+b~c+*\n", 0));
        assertThat(runner.run("print")).isEqualTo(new Reply("printed\n", 0));
    }

    @Test
    void answersAFaultWithItsMessageAndStatusOne() {
        assertThat(runner.run("sample:fail")).isEqualTo(new Reply("port=0 must be > 0\n", 1));
        assertThat(runner.run("sample:list (").status()).isEqualTo(1);
    }

    @Test
    void namesTheNearestCommandWhenThereIsNone() {
        assertThat(runner.run("sample:lst"))
                .isEqualTo(new Reply("unknown command=sample:lst, did you mean sample:list? help lists all\n", 1));
    }

    @Test
    void givesCommandsNoInput() {
        assertThat(runner.run("sample:read")).isEqualTo(new Reply("-1\n", 0));
    }

    @Test
    void endsAnInterruptedCommand() throws InterruptedException {
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        Thread worker = new Thread(() -> reply.complete(runner.run("sample:hang")));
        worker.start();
        samples.entered.await();

        worker.interrupt();

        assertThat(reply).succeedsWithin(Duration.ofSeconds(10)).satisfies(late -> {
            assertThat(late.status()).isEqualTo(1);
            assertThat(late.output()).contains("took too long");
        });
    }
}
