package io.gregor.itest.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.NodeJmx;
import io.gregor.itest.RawClient;
import io.gregor.itest.load.Load;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.management.JMException;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.MetadataRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The MBeans of the network layer are Kafka's, with Kafka's attributes and right values. */
class NetworkMetricsIT {
    private static final List<String> PATTERNS = List.of(
            "kafka.network:*",
            "kafka.server:type=socket-server-metrics,*",
            "kafka.server:type=KafkaRequestHandlerPool,*");

    /** Keys that have a value for each listener, processor, API, client or error. */
    private static final String VALUES =
            "(listener|networkProcessor|processor|request|version|error|clientSoftwareName|clientSoftwareVersion)"
                    + "=[^,]*";

    private static final Duration SOON = Duration.ofSeconds(5);

    @TempDir
    private static Path home;

    private static GregorProcess node;
    private static NodeJmx jmx;

    @BeforeAll
    static void start() throws Exception {
        node = GregorProcess.start(home);
        jmx = NodeJmx.attach(node);
        Load.createTopics(node);
        try (Load load = Load.start(node.port(), 6, 0)) {
            load.awaitBursts(1);
            load.finish();
        }
    }

    @AfterAll
    static void stop() throws IOException {
        jmx.close();
        node.close();
    }

    @Test
    void namesAndAttributesAreKafkas() throws Exception {
        try (RawClient client = RawClient.connect(node.port())) {
            client.call(new ApiVersionsRequest.Builder().build((short) 3), 1);

            assertThat(shapes()).containsExactlyInAnyOrderElementsOf(kafkas("network-mbeans.tsv"));
        }
    }

    @Test
    void eachApiOfKafkaHasItsTimes() throws Exception {
        for (String time :
                List.of("RequestQueueTimeMs", "LocalTimeMs", "RemoteTimeMs", "TotalTimeMs", "RequestBytes")) {
            assertThat(jmx.values("kafka.network:type=RequestMetrics,name=" + time + ",request=*", "request"))
                    .as(time)
                    .isEqualTo(kafkas("request-names.txt"));
        }
    }

    @Test
    void eachPurgatoryOfKafkaIsShownAlsoIfNobodyCanWaitInIt() throws Exception {
        for (String figure : List.of("PurgatorySize", "NumDelayedOperations")) {
            String pattern = "kafka.server:type=DelayedOperationPurgatory,name=" + figure + ",delayedOperation=*";
            assertThat(jmx.values(pattern, "delayedOperation"))
                    .as(figure)
                    .containsExactlyInAnyOrder(
                            "AlterAcls",
                            "DeleteRecords",
                            "Fetch",
                            "Produce",
                            "RemoteFetch",
                            "RemoteListOffsets",
                            "ShareFetch");
        }
    }

    @Test
    void levelsOfLoggersAreShown() throws Exception {
        assertThat(jmx.attributes("kafka:type=kafka.Log4jController")).containsExactly("Loggers:java.util.List");
    }

    @Test
    void processorsOfTheRolesHaveNamesOfTheirOwn() throws Exception {
        String first = "kafka.network:name=IdlePercent,networkProcessor=0,type=Processor";

        assertThat(jmx.names(first + ",*"))
                .containsExactlyInAnyOrder(
                        first, "kafka.network:name=IdlePercent,networkProcessor=0,role=controller,type=Processor");
        assertThat(jmx.number(first, "Value")).isBetween(0.0, 1.0);
    }

    @Test
    void requestsAndConnectionsAreCounted() throws Exception {
        String rate = "kafka.network:name=RequestsPerSec,request=Metadata,type=RequestMetrics,version=9";
        String time = "kafka.network:name=TotalTimeMs,request=Metadata,type=RequestMetrics";
        RawClient client = RawClient.connect(node.port());
        double connections = connections("connection-count");
        double closed = connections("connection-close-total");
        double timed = jmx.number(time, "Count");

        for (int i = 0; i < 10; i++) {
            client.call(metadata(), i);
        }
        await().atMost(SOON).untilAsserted(() -> {
            assertThat(jmx.number(rate, "Count")).isEqualTo(10);
            assertThat(jmx.number(time, "Count")).isEqualTo(timed + 10);
        });
        assertThat(jmx.number(time, "Max")).isPositive();
        assertThat(jmx.number(
                        "kafka.network:error=NONE,name=ErrorsPerSec,request=Metadata,type=RequestMetrics", "Count"))
                .isGreaterThanOrEqualTo(10);
        assertThat(jmx.number("kafka.network:name=RequestBytes,request=Metadata,type=RequestMetrics", "Max"))
                .isPositive();

        client.close();
        await().atMost(SOON).untilAsserted(() -> {
            assertThat(connections("connection-count")).isEqualTo(connections - 1);
            assertThat(connections("connection-close-total")).isEqualTo(closed + 1);
        });
    }

    private static MetadataRequest metadata() {
        MetadataRequestData none =
                new MetadataRequestData().setTopics(List.of()).setAllowAutoTopicCreation(false);
        return new MetadataRequest(none, (short) 9);
    }

    /** Over the processors of the broker's listener. */
    private static double connections(String attribute) throws IOException, JMException {
        double sum = 0;
        for (String name : jmx.names("kafka.server:type=socket-server-metrics,listener=PLAINTEXT,networkProcessor=*")) {
            sum += jmx.number(name, attribute);
        }
        return sum;
    }

    /** Each MBean with its attributes, less what tells MBeans of one kind apart. */
    private static Set<String> shapes() throws IOException, JMException {
        Set<String> shapes = new TreeSet<>();
        for (String pattern : PATTERNS) {
            for (String name : jmx.names(pattern)) {
                String shape = name.replaceAll(VALUES, "$1=*").replaceAll("role=[^,]*,?", "");
                shapes.add(shape + "\t" + String.join(",", jmx.attributes(name)));
            }
        }
        return shapes;
    }

    private static Set<String> kafkas(String resource) throws IOException {
        try (InputStream text = NetworkMetricsIT.class.getResourceAsStream("/metrics/" + resource)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}
