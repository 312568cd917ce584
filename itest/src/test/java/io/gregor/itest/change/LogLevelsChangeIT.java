package io.gregor.itest.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.RawClient;
import io.gregor.itest.load.Load;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Levels of loggers change while requests are served; the request log says what Kafka's says. */
class LogLevelsChangeIT {
    private static final String REQUESTS = "kafka.request.logger";

    /** The fields of a line, in Kafka's order. */
    private static final List<String> FIELDS = List.of(
            "isForwarded",
            "requestHeader",
            "request",
            "response",
            "connection",
            "totalTimeMs",
            "requestQueueTimeMs",
            "localTimeMs",
            "remoteTimeMs",
            "throttleTimeMs",
            "responseQueueTimeMs",
            "sendTimeMs",
            "securityProtocol",
            "principal",
            "listener",
            "clientInformation");

    private static final Pattern TOP_LEVEL = Pattern.compile("\"(\\w+)\":");

    @TempDir
    private static Path home;

    private static ChangingNode node;

    @BeforeAll
    static void start() throws Exception {
        node = ChangingNode.start(home);
    }

    @AfterAll
    static void stop() throws IOException {
        node.close();
    }

    @Test
    void requestLogIsSwitchedOnAndOffUnderLoad() throws Exception {
        try (Load load = Load.start(node.port(), 64, 0)) {
            load.during("request log on", () -> set(REQUESTS, "DEBUG"));
            String line;
            try (RawClient client = RawClient.connect(node.port())) {
                client.call(new ApiVersionsRequest.Builder().build((short) 3), 4711);
                line = await().until(() -> line("\"correlationId\":4711,"), found -> !found.isEmpty());
                assertThat(line)
                        .contains("DEBUG", "Completed request:{", "(" + REQUESTS + ")")
                        .contains(
                                "\"requestHeader\":{\"requestApiKey\":18,\"requestApiVersion\":3,"
                                        + "\"correlationId\":4711,\"clientId\":\"itest\",\"requestApiKeyName\":\"API_VERSIONS\"}")
                        .contains("\"request\":{\"clientSoftwareName\":\"apache-kafka-java\"")
                        .contains(
                                "\"connection\":\"127.0.0.1:" + node.port() + "-127.0.0.1:" + client.localPort() + "-")
                        .contains("\"securityProtocol\":\"PLAINTEXT\",\"principal\":\"User:ANONYMOUS\","
                                + "\"listener\":\"PLAINTEXT\"");
            }
            assertThat(fields(line)).isEqualTo(FIELDS);

            load.during("request log off", () -> delete(REQUESTS));
            load.pause();
            long size = Files.size(log());
            load.resume();
            load.awaitBursts(1);
            assertThat(Files.size(log())).isEqualTo(size);
            load.finish();
        }
    }

    @Test
    void levelsAreDescribedAndWrongOnesRefused() throws Exception {
        set("io.gregor.transport", "TRACE");
        assertThat(level("io.gregor.transport")).isEqualTo("TRACE");
        delete("io.gregor.transport");
        assertThat(level("root")).isEqualTo("INFO");

        assertThatThrownBy(() -> set(REQUESTS, "LOUD"))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("LOUD");
        assertThatThrownBy(() -> set("no.such.logger", "INFO"))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("no.such.logger");
        assertThatThrownBy(() -> delete("root")).isInstanceOf(ApiException.class);
    }

    private static void set(String logger, String level) throws Exception {
        node.alter(ChangingNode.LOGGERS, false, ChangingNode.ops(OpType.SET, logger + "=" + level));
    }

    private static void delete(String logger) throws Exception {
        node.alter(
                ChangingNode.LOGGERS, false, List.of(new AlterConfigOp(new ConfigEntry(logger, null), OpType.DELETE)));
    }

    private static String level(String logger) throws Exception {
        return node.config(ChangingNode.LOGGERS).get(logger).value();
    }

    private static Path log() {
        return home.resolve("logs/kafka-request.log");
    }

    private static String line(String part) throws IOException {
        return Files.readString(log())
                .lines()
                .filter(line -> line.contains(part))
                .findFirst()
                .orElse("");
    }

    /** The names of the outermost object's fields, in order. */
    private static List<String> fields(String line) {
        String json = line.substring(line.indexOf('{') + 1, line.lastIndexOf('}'));
        while (json.indexOf('{') >= 0 || json.indexOf('[') >= 0) {
            json = json.replaceAll("\\{[^{}\\[\\]]*}|\\[[^{}\\[\\]]*]", "0");
        }
        List<String> fields = new ArrayList<>();
        Matcher field = TOP_LEVEL.matcher(json);
        while (field.find()) {
            fields.add(field.group(1));
        }
        return fields;
    }
}
