package io.gregor.itest.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.GregorProcess.Finished;
import io.gregor.itest.RawClient;
import io.gregor.itest.ShellSocket;
import io.gregor.itest.load.Load;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.MetadataRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bundle that serves Produce and Fetch is stopped by hand: its requests wait for it, for a while. */
class StoppedHandlersWaitIT {
    private static final int BUSY = 64;
    private static final int TIMES = 10;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String STOCK = "io.gregor.handlers-data";
    private static final String TIMEOUT = "gregor.handler.swap.timeout.ms";

    @TempDir
    private Path home;

    private GregorProcess node;

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void noRequestFailsWhileTheBundleIsStoppedAndStarted() throws Exception {
        node = GregorProcess.start(home, TIMEOUT + "=60000");
        Load.createTopics(node);
        String bundle = bundle();
        try (Load load = Load.start(node.port(), BUSY, 20)) {
            for (int i = 1; i <= TIMES; i++) {
                load.during("stop and start " + i, () -> {
                    shell("felix:stop " + bundle);
                    await().atMost(LIMIT).until(() -> waiting() > 0);
                    shell("felix:start " + bundle);
                });
            }
            load.finish();
        }
        assertThat(waiting()).isZero();
        assertThat(node.logText()).contains("requests go on: apiKey=1 ");
    }

    @Test
    void connectionsAreClosedWhenNoHandlerComesAndOthersAreUnharmed() throws Exception {
        node = GregorProcess.start(home);
        shell("config:set " + TIMEOUT + "=1500");
        String bundle = bundle();
        try (RawClient waiting = RawClient.connect(node.port());
                RawClient other = RawClient.connect(node.port())) {
            waiting.call(fetch(), 1);
            shell("felix:stop " + bundle);
            assertThat(keys(other)).contains(ApiKeys.FETCH.id, ApiKeys.PRODUCE.id);
            waiting.send(fetch(), 2);

            await().atMost(LIMIT).untilAsserted(() -> {
                assertThat(other.call(new MetadataRequest(new MetadataRequestData(), (short) 12), 3))
                        .isNotNull();
                assertThat(keys(other)).doesNotContain(ApiKeys.FETCH.id, ApiKeys.PRODUCE.id);
            });
            assertThat(waiting.isClosedByPeer()).isTrue();
            assertThat(node.logText())
                    .containsPattern(
                            "WARN.* no handler came in time.*apiKey=1 api=FETCH requests=1 " + TIMEOUT + "=1500");

            shell("felix:start " + bundle);
            other.call(fetch(), 4);
            assertThat(keys(other)).contains(ApiKeys.FETCH.id, ApiKeys.PRODUCE.id);
        }
    }

    @Test
    void nothingWaitsWhenTheNodeStops() throws Exception {
        node = GregorProcess.start(home, TIMEOUT + "=600000");
        shell("felix:stop " + bundle());
        try (RawClient waiting = RawClient.connect(node.port())) {
            waiting.send(fetch(), 1);
            await().atMost(LIMIT).until(() -> waiting() == 1);

            node.stop();

            assertThat(waiting.isClosedByPeer()).isTrue();
        }
        assertThat(node.logText()).doesNotContain("no handler came in time");
    }

    private static AbstractRequest fetch() {
        return new FetchRequest(new FetchRequestData(), (short) 12);
    }

    private static List<Short> keys(RawClient client) throws IOException {
        ApiVersionsResponse answer =
                (ApiVersionsResponse) client.call(new ApiVersionsRequest.Builder().build((short) 3), 9);
        return answer.data().apiKeys().stream().map(ApiVersion::apiKey).toList();
    }

    /** Requests that wait for a handler, by the last column. */
    private int waiting() {
        return shell("handler:list")
                .lines()
                .skip(1)
                .map(String::strip)
                .mapToInt(line -> Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private String bundle() {
        Matcher line = Pattern.compile("(\\d+)\\|[^\n]*" + Pattern.quote(STOCK)).matcher(shell("felix:lb -s"));
        assertThat(line.find()).isTrue();
        return line.group(1);
    }

    private String shell(String command) {
        Finished finished = ShellSocket.call(home, command);
        assertThat(finished.status()).as("%s: %s", command, finished.output()).isZero();
        return finished.output();
    }
}
