package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gregor.api.RequestHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.ListConfigResourcesRequestData;
import org.apache.kafka.common.message.ListConfigResourcesResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ListConfigResourcesResponse;
import org.apache.kafka.server.common.RequestLocal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RequestStatsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MS = 1_000_000L;
    private static final int HEARTBEAT = ApiKeys.HEARTBEAT.id;

    private final AtomicLong clock = new AtomicLong(SECOND);
    private final List<String> appeared = new CopyOnWriteArrayList<>();
    private final RequestStats stats = new RequestStats(clock::get, new RequestStats.Appearances() {
        @Override
        public void version(int slot, short version) {
            appeared.add(slot + " version " + version);
        }

        @Override
        public void error(int slot, Errors error) {
            appeared.add(slot + " error " + error);
        }
    });

    @Test
    void countsWhereTheTimeOfARequestWent() {
        stats.add(heartbeat(4, Errors.NONE, 30 * MS));

        assertThat(shown(RequestFigure.REQUEST_QUEUE_TIME)).isEqualTo(10, within(0.4));
        assertThat(shown(RequestFigure.LOCAL_TIME)).isEqualTo(20, within(0.7));
        assertThat(shown(RequestFigure.REMOTE_TIME)).isZero();
        assertThat(shown(RequestFigure.RESPONSE_QUEUE_TIME)).isEqualTo(5, within(0.2));
        assertThat(shown(RequestFigure.RESPONSE_SEND_TIME)).isEqualTo(1, within(0.05));
        assertThat(shown(RequestFigure.TOTAL_TIME)).isEqualTo(36, within(1.2));
        assertThat(shown(RequestFigure.THROTTLE_TIME)).isZero();
        assertThat(shown(RequestFigure.REQUEST_BYTES)).isEqualTo(8);
        assertThat(stats.distribution(RequestFigure.TEMPORARY_MEMORY, HEARTBEAT).count())
                .isZero();
    }

    @Test
    void tellsOfVersionsAndErrorsWhenTheyComeForTheFirstTime() {
        stats.add(heartbeat(4, Errors.NONE, MS));
        stats.add(heartbeat(4, Errors.NONE, MS));
        stats.add(heartbeat(3, Errors.UNKNOWN_MEMBER_ID, MS));

        assertThat(appeared)
                .containsExactly("12 version 4", "12 error NONE", "12 version 3", "12 error UNKNOWN_MEMBER_ID");
        assertThat(stats.ofVersion(4, HEARTBEAT)).isEqualTo(2);
        assertThat(stats.ofError(Errors.UNKNOWN_MEMBER_ID, HEARTBEAT)).isEqualTo(1);
    }

    @Test
    void kindsThatKafkaShowsApartAreCountedApart() {
        stats.add(done(
                ApiKeys.LIST_CONFIG_RESOURCES,
                0,
                new ListConfigResourcesRequestData(),
                request -> request.respond(new ListConfigResourcesResponse(new ListConfigResourcesResponseData()))));
        stats.add(done(
                ApiKeys.LIST_CONFIG_RESOURCES,
                1,
                new ListConfigResourcesRequestData(),
                request -> request.respond(new ListConfigResourcesResponse(new ListConfigResourcesResponseData()))));

        assertThat(stats.ofVersion(0, StatsSlots.CLIENT_METRICS)).isEqualTo(1);
        assertThat(stats.ofVersion(1, ApiKeys.LIST_CONFIG_RESOURCES.id)).isEqualTo(1);
    }

    @Test
    void countsOfManyThreadsAreAddedUpWhileTheyCountAndAfterTheyEnded() throws Exception {
        AtomicBoolean end = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            threads.add(start(20_000));
        }
        Thread reader = new Thread(() -> {
            long before = 0;
            while (!end.get()) {
                long count =
                        stats.distribution(RequestFigure.TOTAL_TIME, HEARTBEAT).count();
                if (count < before) {
                    appeared.add("fell from " + before + " to " + count);
                }
                before = count;
            }
        });
        reader.start();
        for (Thread thread : threads) {
            thread.join();
        }
        for (int i = 0; i < 5; i++) {
            start(1_000).join();
        }
        end.set(true);
        reader.join();

        assertThat(stats.ofVersion(4, HEARTBEAT)).isEqualTo(105_000);
        assertThat(stats.distribution(RequestFigure.LOCAL_TIME, HEARTBEAT).count())
                .isEqualTo(105_000);
        assertThat(appeared).noneMatch(text -> text.startsWith("fell"));
    }

    @Test
    void ratesMoveWithTheRequests() {
        FadingRate rate = stats.rate(nowNs -> stats.ofVersion(4, HEARTBEAT), false);
        for (int i = 0; i < 60; i++) {
            clock.addAndGet(SECOND / 2);
            stats.add(heartbeat(4, Errors.NONE, MS));
        }
        clock.addAndGet(600 * SECOND);
        stats.add(heartbeat(4, Errors.NONE, MS));

        assertThat(rate.oneMinute(clock.get())).isLessThan(1e-12);
        assertThat(rate.count(clock.get())).isEqualTo(61);
    }

    @Test
    void recentFiguresAreOfAboutTheLastMinute() {
        for (int i = 0; i < 200; i++) {
            stats.add(heartbeat(4, Errors.NONE, 900 * MS));
        }
        assertThat(stats.recentP99(RequestFigure.LOCAL_TIME)).isEqualTo(890, within(30.0));

        clock.addAndGet(400 * SECOND);
        for (int i = 0; i < 200; i++) {
            stats.add(heartbeat(4, Errors.NONE, 30 * MS));
        }
        assertThat(stats.recentP99(RequestFigure.LOCAL_TIME)).isEqualTo(20, within(0.7));

        clock.addAndGet(1_200 * SECOND);
        assertThat(stats.recentP99(RequestFigure.LOCAL_TIME)).isZero();
    }

    @Test
    void figuresSurviveTheHourlyMoveOfTheLandmark() {
        stats.add(heartbeat(4, Errors.NONE, 900 * MS));
        for (int hours = 0; hours < 30; hours++) {
            clock.addAndGet(3_601 * SECOND);
            stats.add(heartbeat(4, Errors.NONE, 30 * MS));
        }
        Distribution local = stats.distribution(RequestFigure.LOCAL_TIME, HEARTBEAT);
        assertThat(local.percentile(0.999) / MS).isEqualTo(20, within(0.7));
        assertThat(local.max() / MS).isEqualTo(890);
        assertThat(local.count()).isEqualTo(31);
    }

    private double shown(RequestFigure figure) {
        return stats.distribution(figure, HEARTBEAT).percentile(0.5) * figure.shownPerUnit();
    }

    private Thread start(int requests) {
        RequestTimes times = heartbeat(4, Errors.NONE, 30 * MS);
        Thread thread = new Thread(() -> {
            for (int i = 0; i < requests; i++) {
                stats.add(times);
            }
        });
        thread.start();
        return thread;
    }

    /** A request that is done now; it waited 10 ms, its response 5 ms, and was written in 1 ms. */
    private RequestTimes heartbeat(int version, Errors error, long answeredAfterNs) {
        Times times = (Times) done(
                ApiKeys.HEARTBEAT,
                version,
                new HeartbeatRequestData(),
                request -> request.respond(new HeartbeatResponseData().setErrorCode(error.code())));
        times.answeredAfterNs = answeredAfterNs;
        return times;
    }

    private RequestTimes done(ApiKeys api, int version, ApiMessage body, RequestHandler handler) {
        HandlerServices services = new HandlerServices();
        services.add(handler, 0, api.id);
        RequestChannel channel = new RequestChannel(10);
        List<RequestTimes> completed = new ArrayList<>();
        RoleDispatcher dispatcher =
                new RoleDispatcher(services.registry, channel, clock::get, completed::add, new QuotaMeter(false));
        FakeConnection connection = new FakeConnection();
        new RequestIntake(services.registry, channel, dispatcher)
                .take(connection, Frames.of(api, version, body), clock.get(), () -> {});
        channel.take(new HandlerSeat(Thread.currentThread())).run(RequestLocal.noCaching());
        connection.posted.remove().completed(clock.get());
        return new Times(completed.get(0).subject(), clock.get());
    }

    /** Times of a test's choice. */
    private static final class Times implements RequestTimes {
        private final ParsedRequest subject;
        private final long completedNs;
        private long answeredAfterNs;

        Times(ParsedRequest subject, long completedNs) {
            this.subject = subject;
            this.completedNs = completedNs;
        }

        @Override
        public ParsedRequest subject() {
            return subject;
        }

        @Override
        public boolean isForwarded() {
            return false;
        }

        @Override
        public boolean isClosing() {
            return false;
        }

        @Override
        public long receivedNs() {
            return completedNs - answeredAfterNs - 6 * MS;
        }

        @Override
        public long dequeuedNs() {
            return receivedNs() + 10 * MS;
        }

        @Override
        public long localDoneNs() {
            return answeredNs();
        }

        @Override
        public long followUpNs() {
            return 0;
        }

        @Override
        public long answeredNs() {
            return completedNs - 6 * MS;
        }

        @Override
        public long responseDequeuedNs() {
            return completedNs - MS;
        }

        @Override
        public long completedNs() {
            return completedNs;
        }
    }
}
