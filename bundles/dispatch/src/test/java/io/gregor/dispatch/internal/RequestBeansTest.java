package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.common.message.ApiMessageType.ListenerType;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.server.common.RequestLocal;
import org.apache.kafka.server.config.AbstractKafkaConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestBeansTest {
    private static final String PREFIX = "kafka.network:type=RequestMetrics,name=";

    /** What a broker of Kafka's asks itself: the rates are there from the start. */
    private static final Set<String> OF_OWN_REQUESTS = Set.of(
            PREFIX + "RequestsPerSec,request=AddPartitionsToTxnVerification,version=5",
            PREFIX + "RequestsPerSec,request=WriteTxnMarkers,version=2",
            PREFIX + "ErrorsPerSec,request=WriteTxnMarkers,error=NONE");

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final Beans beans = new Beans(config(Map.of()));

    @AfterEach
    void close() throws Exception {
        beans.close();
        assertThat(names()).isEmpty();
    }

    @Test
    void allHistogramsAreThereFromTheStartAndTheRatesOfWhatKafkaAsksItself() throws Exception {
        register(ListenerType.BROKER, false);
        int apis = ApiKeys.brokerApis().size() + 4;
        assertThat(names()).hasSize(8 * apis + 4 + OF_OWN_REQUESTS.size());
        assertThat(names())
                .contains(
                        PREFIX + "RequestQueueTimeMs,request=Produce",
                        PREFIX + "TotalTimeMs,request=FetchFollower",
                        PREFIX + "RequestBytes,request=AddPartitionsToTxnVerification",
                        PREFIX + "LocalTimeMs,request=ListClientMetricsResources",
                        PREFIX + "MessageConversionsTimeMs,request=Fetch",
                        PREFIX + "TemporaryMemoryBytes,request=Produce")
                .containsAll(OF_OWN_REQUESTS)
                .doesNotContain(PREFIX + "TemporaryMemoryBytes,request=FetchConsumer");
        for (String rate : OF_OWN_REQUESTS) {
            assertThat(server.getAttribute(new ObjectName(rate), "Count"))
                    .as(rate)
                    .isEqualTo(0L);
        }
    }

    @Test
    void histogramsHaveTheAttributesOfKafkas() throws Exception {
        register(ListenerType.BROKER, false);
        ObjectName name = new ObjectName(PREFIX + "LocalTimeMs,request=Metadata");
        assertThat(attributes(name))
                .isEqualTo("50thPercentile:double,75thPercentile:double,95thPercentile:double,98thPercentile:double,"
                        + "999thPercentile:double,99thPercentile:double,Count:long,Max:double,Mean:double,Min:double,"
                        + "StdDev:double");
        assertThat(server.getAttribute(name, "Count")).isEqualTo(0L);
        assertThat(server.getAttribute(name, "99thPercentile")).isEqualTo(0.0);
        assertThat(server.getAttributes(name, new String[] {"Mean", "Count"})).hasSize(2);
    }

    @Test
    void ratesComeWithTheFirstRequestAndTheFirstError() throws Exception {
        RequestBeans requests = register(ListenerType.BROKER, false);
        requests.version(StatsSlots.CONSUMER_FETCH, (short) 17);
        requests.error(StatsSlots.CONSUMER_FETCH, Errors.NONE);
        requests.version(StatsSlots.VERIFICATION, (short) 4);
        requests.error(StatsSlots.VERIFICATION, Errors.INVALID_TXN_STATE);

        assertThat(rates())
                .containsExactlyInAnyOrder(
                        PREFIX + "RequestsPerSec,request=Fetch,version=17",
                        PREFIX + "RequestsPerSec,request=FetchConsumer,version=17",
                        PREFIX + "ErrorsPerSec,request=Fetch,error=NONE",
                        PREFIX + "RequestsPerSec,request=AddPartitionsToTxnVerification,version=4",
                        PREFIX + "ErrorsPerSec,request=AddPartitionsToTxn,error=INVALID_TXN_STATE");
        ObjectName rate = new ObjectName(PREFIX + "RequestsPerSec,request=Fetch,version=17");
        assertThat(attributes(rate))
                .isEqualTo("Count:long,EventType:java.lang.String,FifteenMinuteRate:double,FiveMinuteRate:double,"
                        + "MeanRate:double,OneMinuteRate:double,RateUnit:java.util.concurrent.TimeUnit");
        assertThat(server.getAttribute(rate, "EventType")).isEqualTo("requests");
        assertThat(server.getAttribute(rate, "RateUnit")).isEqualTo(TimeUnit.SECONDS);
    }

    @Test
    void controllerBesideABrokerLeavesKafkasNamesToIt() throws Exception {
        register(ListenerType.BROKER, false);
        Set<String> ofBroker = names();

        register(ListenerType.CONTROLLER, true);

        assertThat(names())
                .containsAll(ofBroker)
                .contains(
                        PREFIX + "LocalTimeMs,request=Fetch,role=controller",
                        PREFIX + "LocalTimeMs,request=FetchFollower,role=controller",
                        PREFIX + "LocalTimeMs,request=Vote");
    }

    @Test
    void newApiIsShownByItsKeyWhenItsFirstRequestHasCome() throws Exception {
        RequestBeans requests = register(ListenerType.BROKER, false);
        HandlerServices services = new HandlerServices();
        services.add(request -> request.respondBytes(request.bodyBytes()), 0, 10_001);
        RequestChannel channel = new RequestChannel(1);
        RoleDispatcher dispatcher = new RoleDispatcher(
                services.registry, channel, System::nanoTime, requests.stats(), new QuotaMeter(false));
        FakeConnection connection = new FakeConnection();
        new RequestIntake(services.registry, channel, dispatcher)
                .take(connection, Frames.newApi(10_001, 0, (byte) 1), System.nanoTime(), () -> {});
        channel.take(new HandlerSeat(Thread.currentThread())).run(RequestLocal.noCaching());

        connection.posted.remove().completed(System.nanoTime());

        assertThat(names())
                .contains(
                        PREFIX + "TotalTimeMs,request=10001",
                        PREFIX + "RequestsPerSec,request=10001,version=0",
                        PREFIX + "ErrorsPerSec,request=10001,error=NONE");
        assertThat(server.getAttribute(new ObjectName(PREFIX + "TotalTimeMs,request=10001"), "Count"))
                .isEqualTo(1L);
    }

    @Test
    void whatTheConfigurationExcludesIsNotShown() throws Exception {
        Beans some = new Beans(config(Map.of("metrics.jmx.exclude", ".*request=Produce.*")));
        new RequestBeans(ListenerType.BROKER, false, some, System::nanoTime, Runnable::run).register();
        assertThat(names())
                .contains(PREFIX + "LocalTimeMs,request=Metadata")
                .doesNotContain(PREFIX + "LocalTimeMs,request=Produce");
        some.close();
    }

    private RequestBeans register(ListenerType listeners, boolean isBesideBroker) {
        RequestBeans requests = new RequestBeans(listeners, isBesideBroker, beans, System::nanoTime, Runnable::run);
        requests.register();
        return requests;
    }

    private Set<String> names() throws Exception {
        return server.queryNames(new ObjectName("kafka.network:type=RequestMetrics,*"), null).stream()
                .map(ObjectName::toString)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> rates() throws Exception {
        return names().stream()
                .filter(name -> name.contains("PerSec") && !OF_OWN_REQUESTS.contains(name))
                .collect(Collectors.toSet());
    }

    private String attributes(ObjectName name) throws Exception {
        return Stream.of(server.getMBeanInfo(name).getAttributes())
                .map(attribute -> attribute.getName() + ":" + attribute.getType())
                .sorted()
                .collect(Collectors.joining(","));
    }

    private static AbstractKafkaConfig config(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(more);
        all.putAll(Map.of("process.roles", "broker", "node.id", "1", "controller.listener.names", "C"));
        return new AbstractKafkaConfig(AbstractKafkaConfig.CONFIG_DEF, all, Map.of(), false) {};
    }
}
