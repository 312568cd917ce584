package io.gregor.itest.plugins;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.GregorProcess.Finished;
import io.gregor.itest.NodeJmx;
import io.gregor.itest.RawClient;
import io.gregor.itest.ShellSocket;
import io.gregor.itest.load.Load;
import io.gregor.itest.plugins.filters.Fault;
import io.gregor.itest.plugins.filters.FilterActivator;
import io.gregor.itest.plugins.filters.Use;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.DescribeClusterRequest;
import org.apache.kafka.common.requests.DescribeClusterResponse;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Filters of bundles that do what filters are for, and such that do not behave: these are bypassed or fail closed, as they
 * declare, and nobody else sees anything of it.
 */
class FaultyFiltersIT {
    private static final String NAME = "io.gregor.itest.filter";
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String HANDLERS = "data-plane-kafka-request-handler-";
    private static final int CONNECTIONS = 12;
    private static final int DESCRIBE_CLUSTER = 60;
    private static final int PRODUCE = 0;
    private static final int FETCH = 1;
    private static final int FAULTS = 3;
    private static final String TOPIC = "load";
    private static final DescribeClusterRequest REQUEST =
            new DescribeClusterRequest(new DescribeClusterRequestData(), (short) 1);

    @TempDir
    private static Path home;

    private static GregorProcess node;
    private static NodeJmx jmx;
    private static int jars;

    private String installed = "";

    @BeforeAll
    static void start() throws Exception {
        node = GregorProcess.start(home);
        jmx = NodeJmx.attach(node);
        Load.createTopics(node);
    }

    @AfterAll
    static void stop() throws Exception {
        jmx.close();
        node.close();
    }

    @AfterEach
    void uninstall() {
        for (String bundle : installed.split(" ")) {
            if (!bundle.isEmpty()) {
                shell("felix:uninstall " + bundle);
            }
        }
        assertThat(shell("filter:list").output()).doesNotContain(NAME);
    }

    @ParameterizedTest
    @CsvSource({
        "THROWS, open, it threw",
        "THROWS, closed, it threw",
        "LATE, open, filter.time.ms=20",
        "LATE, closed, filter.time.ms=20",
        "GREEDY, open, filter.allocated.bytes=16777216",
        "GREEDY, closed, filter.allocated.bytes=16777216",
    })
    void faultyFilterIsPutOutAndOthersAreUnharmed(Fault fault, String fails, String reason) throws Exception {
        List<String> threads = jmx.threads(HANDLERS);
        try (Load load = Load.start(node.port(), CONNECTIONS, 0);
                RawClient client = RawClient.connect(node.port())) {
            load.during(fault + " " + fails, () -> {
                install(
                        fault.name(),
                        DESCRIBE_CLUSTER,
                        "filter.fails=" + fails + ",filter.faults=" + FAULTS + ",filter.time.ms="
                                + (fault == Fault.LATE ? 20 : 2_000));
                boolean isRefused = fault == Fault.THROWS && fails.equals("closed");
                for (int i = 0; i < FAULTS; i++) {
                    assertThat(error(client, i)).isEqualTo(isRefused ? Errors.POLICY_VIOLATION : Errors.NONE);
                }
                assertThat(state()).contains(" OUT ").contains(reason);
                assertThat(error(client, FAULTS))
                        .isEqualTo(fails.equals("closed") ? Errors.POLICY_VIOLATION : Errors.NONE);
            });
            load.finish();
        }
        assertThat(jmx.threads(HANDLERS)).isEqualTo(threads);
        assertThat(jmx.number("io.gregor:type=Filter,name=" + NAME + ",role=broker", "Faults"))
                .isEqualTo(FAULTS);
        assertThat(node.logText()).contains("filter is out").contains(NAME);
    }

    @ParameterizedTest
    @CsvSource({"open, NONE", "closed, POLICY_VIOLATION"})
    void filterThatNeverReturnsLosesItsThreadAndNobodyElse(String fails, Errors later) throws Exception {
        List<String> threads = jmx.threads(HANDLERS);
        try (Load load = Load.start(node.port(), CONNECTIONS, 0);
                RawClient client = RawClient.connect(node.port());
                RawClient other = RawClient.connect(node.port())) {
            load.during("NEVER " + fails, () -> {
                install(
                        Fault.NEVER.name(),
                        DESCRIBE_CLUSTER,
                        "filter.fails=" + fails + ",filter.time.ms=100,filter.limit.ms=1000");
                client.send(REQUEST, 1);
                other.send(REQUEST, 2);
                assertThat(receive(client, 1)).isEqualTo(Errors.REQUEST_TIMED_OUT);
                assertThat(receive(other, 2)).isEqualTo(Errors.REQUEST_TIMED_OUT);
                assertThat(error(client, 3)).isEqualTo(later);
            });
            load.finish();
        }
        assertThat(jmx.threads(HANDLERS)).isEqualTo(threads);
        assertThat(jmx.threads("gregor-lost-request-handler-")).isNotEmpty();
        assertThat(state()).contains(" OUT ").contains("filter.limit.ms=1000");
    }

    @Test
    void filterThatIsOutComesInAgainWhenItIsTold() throws Exception {
        install(Fault.THROWS.name(), DESCRIBE_CLUSTER, "filter.fails=closed,filter.faults=1");
        try (RawClient client = RawClient.connect(node.port())) {
            assertThat(error(client, 1)).isEqualTo(Errors.POLICY_VIOLATION);
            assertThat(state()).contains(" OUT ");

            assertThat(shell("filter:reset " + NAME).output()).contains("is in again");

            assertThat(state()).contains(" IN ");
            assertThat(error(client, 2)).isEqualTo(Errors.POLICY_VIOLATION);
            assertThat(shell("filter:reset nobody").status()).isEqualTo(1);
        }
    }

    @Test
    void watchIsThereOnlyWhileThereAreFilters() throws Exception {
        assertThat(jmx.threads("gregor-filter-watch-")).isEmpty();
        install(Use.ANSWER.name(), DESCRIBE_CLUSTER, "");
        assertThat(jmx.threads("gregor-filter-watch-")).containsExactly("gregor-filter-watch-broker");
        uninstall();
        installed = "";
        await().atMost(LIMIT).until(() -> jmx.threads("gregor-filter-watch-").isEmpty());
    }

    @Test
    void answersAndRefusesInsteadOfTheHandler() throws Exception {
        try (RawClient client = RawClient.connect(node.port())) {
            install(Use.ANSWER.name(), DESCRIBE_CLUSTER, "");
            assertThat(clusterId(client, 1)).isEqualTo("filtered");

            install(Use.REFUSE.name(), DESCRIBE_CLUSTER, "service.ranking=1");
            DescribeClusterResponse refused = (DescribeClusterResponse) client.call(REQUEST, 2);
            assertThat(refused.data().errorCode()).isEqualTo(Errors.POLICY_VIOLATION.code());
            assertThat(refused.data().errorMessage()).isEqualTo("not at night");
        }
    }

    @Test
    void highestRankingIsNextToTheClient() throws Exception {
        try (RawClient client = RawClient.connect(node.port())) {
            String id = clusterId(client, 1);
            install(Use.OUTER.name(), DESCRIBE_CLUSTER, "service.ranking=9");
            install(Use.INNER.name(), DESCRIBE_CLUSTER, "service.ranking=3");

            assertThat(clusterId(client, 2)).isEqualTo(id + "-inner-outer");
        }
    }

    @Test
    void changedRecordsAreWhatIsWrittenAndUntouchedOnesAreReadFromTheirFile() throws Exception {
        install(Use.MASK.name(), PRODUCE, "");
        try (RawClient client = RawClient.connect(node.port())) {
            long offset = produce(client, 1, "secret");

            install(Use.COUNT_FILES.name(), FETCH, "");
            FetchResponse fetched = (FetchResponse) client.call(fetch(offset), 2);

            assertThat(fetched.throttleTimeMs()).isEqualTo(1_001);
            MemoryRecords records = (MemoryRecords)
                    fetched.data().responses().get(0).partitions().get(0).records();
            Record record = records.records().iterator().next();
            assertThat(UTF_8.decode(record.value()).toString()).isEqualTo("***");
        }
    }

    private void install(String filter, int key, String properties) throws IOException {
        jars++;
        Path jar = PluginJar.named(NAME + jars, "1.0.0")
                .imports(
                        "io.gregor.api",
                        "io.gregor.api.records",
                        "org.apache.kafka.common.message",
                        "org.apache.kafka.common.protocol",
                        "org.apache.kafka.common.record.internal",
                        "org.apache.kafka.common.requests",
                        "org.osgi.framework")
                .activator(FilterActivator.class)
                .classes(Fault.class, Use.class)
                .header(FilterActivator.FILTER, filter)
                .header(
                        FilterActivator.PROPERTIES,
                        "api.key=" + key + ",component.name=" + NAME + (properties.isEmpty() ? "" : "," + properties))
                .writeTo(home.resolve("filter-" + jars + ".jar"));
        String bundle = shell("felix:install " + jar.toUri()).output().replaceAll("\\D", "");
        installed += " " + bundle;
        Finished started = shell("felix:start " + bundle);
        assertThat(started.status()).as(started.output()).isZero();
        assertThat(shell("filter:list").output()).contains(NAME + jars);
    }

    private static String state() {
        return shell("filter:list filter=" + NAME).output();
    }

    private static Finished shell(String command) {
        return ShellSocket.call(home, command);
    }

    private static Errors error(RawClient client, int correlationId) throws IOException {
        client.send(REQUEST, correlationId);
        return receive(client, correlationId);
    }

    private static Errors receive(RawClient client, int correlationId) throws IOException {
        DescribeClusterResponse response =
                (DescribeClusterResponse) client.receive(REQUEST.apiKey(), REQUEST.version(), correlationId);
        return Errors.forCode(response.data().errorCode());
    }

    private static String clusterId(RawClient client, int correlationId) throws IOException {
        return ((DescribeClusterResponse) client.call(REQUEST, correlationId))
                .data()
                .clusterId();
    }

    private static long produce(RawClient client, int correlationId, String value) throws IOException {
        MemoryRecords records = MemoryRecords.withRecords(
                Compression.NONE, new SimpleRecord(System.currentTimeMillis(), value.getBytes(UTF_8)));
        ProduceRequestData data = new ProduceRequestData().setAcks((short) -1).setTimeoutMs(10_000);
        data.topicData()
                .add(new ProduceRequestData.TopicProduceData()
                        .setName(TOPIC)
                        .setPartitionData(List.of(new ProduceRequestData.PartitionProduceData()
                                .setIndex(0)
                                .setRecords(records))));
        ProduceResponse response = (ProduceResponse) client.call(new ProduceRequest(data, (short) 11), correlationId);
        assertThat(response.errorCounts()).containsOnlyKeys(Errors.NONE);
        return response.data()
                .responses()
                .iterator()
                .next()
                .partitionResponses()
                .get(0)
                .baseOffset();
    }

    private static FetchRequest fetch(long offset) {
        FetchRequestData data = new FetchRequestData()
                .setMaxWaitMs(0)
                .setMinBytes(1)
                .setMaxBytes(10_000)
                .setSessionId(0)
                .setSessionEpoch(-1)
                .setTopics(List.of(new FetchRequestData.FetchTopic()
                        .setTopic(TOPIC)
                        .setPartitions(List.of(new FetchRequestData.FetchPartition()
                                .setPartition(0)
                                .setFetchOffset(offset)
                                .setPartitionMaxBytes(10_000)))));
        return new FetchRequest(data, (short) 12);
    }
}
