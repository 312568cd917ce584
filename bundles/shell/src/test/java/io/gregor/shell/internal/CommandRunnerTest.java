package io.gregor.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.apache.felix.gogo.runtime.CommandProcessorImpl;
import org.apache.felix.gogo.runtime.threadio.ThreadIOImpl;
import org.apache.felix.service.command.CommandSession;
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

        public String breakDown() {
            throw new AssertionError("no figures");
        }

        public int read() throws Exception {
            return System.in.read();
        }

        public String who(CommandSession session) {
            return Caller.of(session).user();
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
        for (String function : new String[] {"list", "print", "fail", "read", "hang", "who", "breakDown"}) {
            processor.addCommand("sample", samples, function);
        }
    }

    @AfterEach
    void stop() {
        processor.stop();
    }

    @Test
    void answersWithWhatACommandReturnsOrPrints() {
        assertThat(run("sample:list a client=kcat b~c * 8 --x=y://z:0,-1"))
                .isEqualTo("0 a+client=kcat+b~c+*+8+--x=y://z:0,-1\n");
        assertThat(run("print")).isEqualTo("0 printed\n");
    }

    @Test
    void takesAPercentSignBehindANumberAsIt() {
        assertThat(run("sample:list 30% --share=7.5% 'a 8%' \"9%\" %(1 + 2)"))
                .isEqualTo("0 30%+--share=7.5%+a 8%+9%+3\n");
    }

    @Test
    void answersAFaultWithItsMessageAndStatusOne() {
        assertThat(run("sample:fail")).isEqualTo("1 port=0 must be > 0\n");
        assertThat(run("sample:list (")).startsWith("1 ");
    }

    @Test
    void tellsWhichErrorACommandMet() {
        assertThat(run("sample:breakDown")).isEqualTo("1 java.lang.AssertionError: no figures\n");
    }

    @Test
    void namesTheNearestCommandWhenThereIsNone() {
        assertThat(run("sample:lst"))
                .isEqualTo("1 unknown command=sample:lst, did you mean sample:list? help lists all\n");
    }

    @Test
    void givesCommandsNoInput() {
        assertThat(run("sample:read")).isEqualTo("0 -1\n");
    }

    @Test
    void tellsCommandsWhoTypedThemWhateverIsTyped() {
        assertThat(run("sample:who")).isEqualTo("0 jane\n");
        assertThat(run(".gregor.caller = mallory; sample:who")).doesNotContain("mallory");
    }

    @Test
    void endsAnInterruptedCommand() throws InterruptedException {
        CompletableFuture<String> reply = new CompletableFuture<>();
        Thread worker = new Thread(() -> reply.complete(run("sample:hang")));
        worker.start();
        samples.entered.await();

        worker.interrupt();

        assertThat(reply)
                .succeedsWithin(Duration.ofSeconds(10))
                .satisfies(late -> assertThat(late).startsWith("1 ").contains("took too long"));
    }

    /** The status, and what was printed. */
    private String run(String command) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int status = runner.run(command, new Caller("jane"), output);
        return status + " " + output.toString(StandardCharsets.UTF_8);
    }
}
