package io.gregor.dispatch.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.api.Request;
import io.gregor.internal.request.Outgoing;
import java.nio.ByteBuffer;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.server.common.RequestLocal;
import org.junit.jupiter.api.Test;

class HurriedRequestTest {
    private static final int HEARTBEAT = 12;

    private final HandlerServices services = new HandlerServices();
    private final RequestChannel channel = new RequestChannel(10);
    private final RoleDispatcher dispatcher =
            new RoleDispatcher(services.registry, channel, System::nanoTime, times -> {}, new QuotaMeter(false));
    private final RequestIntake intake = new RequestIntake(services.registry, channel, dispatcher);
    private final FakeConnection connection = new FakeConnection();
    private final AtomicReference<Request> taken = new AtomicReference<>();

    @Test
    void waitingRequestIsEndedOnAHandlerThread() {
        services.add(request -> request.whenHurried(request::respondNothing), 0, HEARTBEAT);
        queue();
        handle();

        connection.hurry();

        assertThat(connection.posted).isEmpty();
        handle();
        assertThat(connection.posted).hasSize(1);
    }

    @Test
    void requestThatIsHurriedInTheQueueIsEndedWhenItBeginsToWait() {
        services.add(request -> request.whenHurried(request::respondNothing), 0, HEARTBEAT);
        queue();
        connection.hurry();
        connection.hurry();

        handle();
        handle();

        assertThat(connection.posted).hasSize(1);
        assertThat(channel.depth()).isZero();
    }

    @Test
    void answeredRequestIsNotEndedAgain() {
        AtomicInteger ended = new AtomicInteger();
        services.add(
                request -> {
                    request.whenHurried(ended::incrementAndGet);
                    taken.set(request);
                },
                0,
                HEARTBEAT);
        queue();
        handle();
        taken.get().respondNothing();

        connection.hurry();
        putMarker();
        handle();

        assertThat(ended).hasValue(0);
    }

    @Test
    void connectionForgetsTheRequestWhenItsResponseIsTaken() {
        services.add(Request::respondNothing, 0, HEARTBEAT);
        queue();
        assertThat(connection.inHand).isNotNull();
        handle();

        Outgoing response = connection.posted.remove();
        response.dequeued(1);

        assertThat(connection.inHand).isNull();
    }

    @Test
    void isEndedOnceWhoeverComesFirst() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        services.add(taken::set, 0, HEARTBEAT);
        for (int round = 0; round < 500; round++) {
            AtomicInteger ended = new AtomicInteger();
            CyclicBarrier start = new CyclicBarrier(3);
            queue();
            handle();
            Future<?> registered = threads.submit(() -> {
                start.await();
                taken.get().whenHurried(ended::incrementAndGet);
                return null;
            });
            Future<?> first = threads.submit(() -> hurryAfter(start));
            Future<?> second = threads.submit(() -> hurryAfter(start));
            registered.get();
            first.get();
            second.get();
            putMarker();
            handle();
            assertThat(ended).hasValue(1);
            handle();
            taken.get().respondNothing();
        }
        threads.shutdown();
    }

    private Object hurryAfter(CyclicBarrier start) throws Exception {
        start.await();
        connection.hurry();
        return connection;
    }

    private void queue() {
        ByteBuffer frame = Frames.of(ApiKeys.HEARTBEAT, 4, new HeartbeatRequestData());
        intake.take(connection, frame, 1, () -> {});
    }

    /** Work behind what may be there, so that {@link #handle} finds something. */
    private void putMarker() {
        channel.putFollowUp(new Work() {
            @Override
            public boolean isBrief() {
                return true;
            }

            @Override
            public void run(RequestLocal local) {}

            @Override
            public void abandon() {}
        });
    }

    private void handle() {
        channel.take(new HandlerSeat(Thread.currentThread())).run(RequestLocal.noCaching());
    }
}
