package io.gregor.itest.requests;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code docs/apis.md} says what a running node says of itself; what it should say is left in {@code target/apis.md}. */
class ApisDocIT {
    private static final Path DOC = Path.of("..", "docs", "apis.md");
    private static final Path TOLD = Path.of("target", "apis.md");
    private static final String HEAD = "| key | API | versions | broker | controller |\n|---|---|---|---|---|\n";

    /** Kafka offers them only with a plugin that collects the clients' metrics. */
    private static final Set<ApiKeys> WITH_PLUGIN_ONLY =
            EnumSet.of(ApiKeys.GET_TELEMETRY_SUBSCRIPTIONS, ApiKeys.PUSH_TELEMETRY);

    @TempDir
    Path home;

    @Test
    void namesEveryApiOfKafkaAndWhetherARunningNodeServesIt() throws IOException {
        String table;
        try (GregorProcess node = GregorProcess.start(home)) {
            table = HEAD + String.join("\n", rows(served(node.port()), served(node.controllerPort()))) + "\n";
        }
        String doc = Files.readString(DOC);
        int start = doc.indexOf("| key |");
        assertThat(start).isPositive();
        Files.writeString(TOLD, doc.substring(0, start) + table);

        assertThat(doc.substring(start))
                .as("docs/apis.md, to be replaced by itest/target/apis.md if the change is wanted")
                .isEqualTo(table);
    }

    @Test
    void offersNoVersionThatKafkaDoesNot() throws IOException {
        try (GregorProcess node = GregorProcess.start(home)) {
            served(node.port()).forEach((key, range) -> assertThat(range)
                    .as("broker key %s", key)
                    .isEqualTo(kafkas(ApiKeys.forId(key), ListenerType.BROKER)));
            served(node.controllerPort()).forEach((key, range) -> assertThat(range)
                    .as("controller key %s", key)
                    .isEqualTo(kafkas(ApiKeys.forId(key), ListenerType.CONTROLLER)));
        }
    }

    private static List<String> rows(Map<Integer, String> broker, Map<Integer, String> controller) {
        Set<ApiKeys> brokers = offered(ListenerType.BROKER);
        Set<ApiKeys> controllers = offered(ListenerType.CONTROLLER);
        Set<ApiKeys> all = new TreeSet<>(brokers);
        all.addAll(controllers);
        return all.stream()
                .sorted((one, other) -> Short.compare(one.id, other.id))
                .map(key -> String.format(
                        "| %d | %s | %s | %s | %s |",
                        key.id,
                        key.name,
                        kafkas(key, brokers.contains(key) ? ListenerType.BROKER : ListenerType.CONTROLLER),
                        state(key, brokers, broker),
                        state(key, controllers, controller)))
                .toList();
    }

    private static String state(ApiKeys key, Set<ApiKeys> offered, Map<Integer, String> served) {
        if (!offered.contains(key)) {
            return "";
        }
        return served.containsKey((int) key.id) ? "served" : "not yet";
    }

    private static Set<ApiKeys> offered(ListenerType listener) {
        Set<ApiKeys> keys = EnumSet.copyOf(ApiKeys.apisForListener(listener));
        keys.removeAll(WITH_PLUGIN_ONLY);
        return keys;
    }

    private static String kafkas(ApiKeys key, ListenerType listener) {
        ApiVersion range = key.toApiVersionForApiResponse(false, listener).orElseThrow();
        return range.minVersion() + "-" + range.maxVersion();
    }

    private static Map<Integer, String> served(int port) throws IOException {
        try (RawClient client = RawClient.connect(port)) {
            ApiVersionsResponse answer =
                    (ApiVersionsResponse) client.call(new ApiVersionsRequest.Builder().build((short) 4), 1);
            Map<Integer, String> ranges = new TreeMap<>();
            answer.data()
                    .apiKeys()
                    .forEach(api -> ranges.put((int) api.apiKey(), api.minVersion() + "-" + api.maxVersion()));
            return ranges;
        }
    }
}
