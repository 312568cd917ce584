package io.gregor.itest.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.gregor.itest.GregorProcess;
import io.gregor.itest.load.Frames.Frame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Busy connections to a node that send five requests at a time (Produce with acks=1 and acks=all, Fetch that finds records
 * and Fetch that waits, Metadata, ApiVersions), check every response, and pause; and idle ones that are asked once at the
 * end. One thread drives them all. Shared: any thread.
 */
public final class Load implements AutoCloseable {
    /** A response that has not come by then is a failed request. */
    public static final Duration LIMIT = Duration.ofSeconds(20);

    /** Requests of a connection that are on their way at a time. */
    public static final int DEPTH = 5;

    private static final Logger LOGGER = LoggerFactory.getLogger(Load.class);
    private static final long PAUSE_NS = Duration.ofMillis(150).toNanos();
    private static final short LEADER = 1;
    private static final short ALL = -1;
    private static final Frame METADATA = Frames.metadata();
    private static final Frame API_VERSIONS = Frames.apiVersions();
    private static final Frame THROTTLED = Frames.describeCluster(ThrottledApi.THROTTLE_MS);
    private static final Frame WAITING = Frames.waitingFetch(200);

    private final Tally tally = new Tally();
    private final Selector selector;
    private final Channels channels;
    private final List<LoadConnection> busy = new ArrayList<>();
    private final List<LoadConnection> idle = new ArrayList<>();
    private final Queue<Runnable> questions = new ConcurrentLinkedQueue<>();
    private final Thread thread = new Thread(this::run, "load");
    private volatile boolean isEnding;
    private boolean isPaused;

    private Load(int port, Map<String, Object> clients) throws IOException {
        selector = Selector.open();
        channels = new Channels(port, clients, selector);
    }

    /** Makes the topics that loads use; once for a node. */
    public static void createTopics(GregorProcess node) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", node.bootstrap()))) {
            admin.createTopics(List.of(
                            new NewTopic(Frames.TOPIC, Frames.PARTITIONS, (short) 1),
                            new NewTopic(Frames.QUIET, 1, (short) 1),
                            new NewTopic(Frames.NUMBERS, 1, (short) 1)))
                    .all()
                    .get();
        }
    }

    /** Connects so many to a port of 127.0.0.1, and begins. */
    public static Load start(int port, int busyConnections, int idleConnections) throws IOException {
        return start(port, Map.of(), busyConnections, idleConnections);
    }

    /** The same with the settings of a client: its security protocol, its certificate, its user. */
    public static Load start(int port, Map<String, Object> clients, int busyConnections, int idleConnections)
            throws IOException {
        Load load = new Load(port, clients);
        for (int i = 0; i < busyConnections; i++) {
            load.busy.add(new LoadConnection(load.channels, burst(i), load.tally));
        }
        for (int i = 0; i < idleConnections; i++) {
            load.idle.add(new LoadConnection(load.channels, List.of(API_VERSIONS), load.tally));
        }
        return load.start();
    }

    /** Connections with requests among theirs that are throttled, if the node has a {@link ThrottledApi}. */
    public static Load startThrottled(int port, Map<String, Object> clients, int connections) throws IOException {
        Load load = new Load(port, clients);
        for (int i = 0; i < connections; i++) {
            load.busy.add(new LoadConnection(
                    load.channels, List.of(API_VERSIONS, THROTTLED, METADATA, THROTTLED, THROTTLED), load.tally));
        }
        return load.start();
    }

    /** Connections that begin a handshake, and go on with it at the end. */
    public static Load startHalfway(int port, Map<String, Object> clients, int connections) throws IOException {
        Load load = new Load(port, clients);
        for (int i = 0; i < connections; i++) {
            LoadConnection connection = new LoadConnection(load.channels, List.of(API_VERSIONS), load.tally);
            attempt(connection, connection::introduce);
            connection.hold();
            load.idle.add(connection);
        }
        return load.start();
    }

    private Load start() {
        thread.setDaemon(true);
        thread.start();
        return this;
    }

    /** The requests of a connection: one kind only, or a mixture with Fetches that wait. */
    private static List<Frame> burst(int connection) {
        int partition = connection % Frames.PARTITIONS;
        Frame leader = Frames.produce(partition, LEADER);
        Frame all = Frames.produce(partition, ALL);
        Frame fetch = Frames.fetch(partition);
        return switch (connection % 6) {
            case 0 -> List.of(all, all, all, all, all);
            case 1 -> List.of(leader, leader, leader, leader, leader);
            case 2 -> List.of(all, fetch, fetch, fetch, fetch);
            case 3 -> List.of(WAITING, API_VERSIONS, METADATA, WAITING, leader);
            case 4 -> List.of(METADATA, API_VERSIONS, METADATA, API_VERSIONS, METADATA);
            default -> List.of(leader, METADATA, all, fetch, API_VERSIONS);
        };
    }

    /**
     * Makes a change in the middle of the load, and asserts that no connection is dropped, no request fails, and every
     * connection is served before and after. Prints the figures.
     */
    public void during(String change, Change action) throws Exception {
        awaitBursts(1);
        Figures before = figures();
        assertClean("before " + change, before);
        action.run();
        awaitBursts(2);
        Figures during = figures();
        LOGGER.info("{}: {} (worstMs={} before)", change, during, Math.round(before.worstMs()));
        assertClean(change, during);
    }

    /** Waits until each busy connection has been answered so often from now on; fails when one was dropped. */
    public void awaitBursts(int count) {
        List<Integer> wanted = ask(() ->
                busy.stream().map(connection -> connection.bursts() + count).toList());
        await().atMost(LIMIT)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> ask(() -> IntStream.range(0, busy.size())
                        .allMatch(i -> !busy.get(i).isOpen() || busy.get(i).bursts() >= wanted.get(i))));
    }

    /** Sends nothing new, waits until nothing is on its way, and returns the figures since the last look. */
    public Figures pause() {
        ask(() -> isPaused = true);
        await().atMost(LIMIT).until(() -> ask(() -> busy.stream().noneMatch(LoadConnection::isWaiting)));
        return figures();
    }

    /** Goes on after {@link #pause}. */
    public void resume() {
        ask(() -> isPaused = false);
    }

    /** The figures since the last call. */
    public Figures figures() {
        return ask(tally::take);
    }

    /** How many connections are open. */
    public long open() {
        return ask(() -> busy.stream().filter(LoadConnection::isOpen).count()
                + idle.stream().filter(LoadConnection::isOpen).count());
    }

    /** Stops sending, waits for every answer, asks the idle connections, and asserts that all of them are usable. */
    public void finish() {
        assertClean("to the end", pause());
        ask(this::askIdle);
        await().atMost(LIMIT).until(() -> ask(() -> idle.stream().noneMatch(LoadConnection::isWaiting)));
        assertClean("idle connections at the end", figures());
        assertThat(open()).isEqualTo(busy.size() + idle.size());
    }

    private boolean askIdle() {
        idle.forEach(LoadConnection::goOn);
        idle.forEach(connection -> attempt(connection, connection::sendBurst));
        return true;
    }

    private static void assertClean(String when, Figures figures) {
        assertThat(figures.dropped())
                .as("dropped connections %s: %s", when, figures)
                .isZero();
        assertThat(figures.failed()).as("failed requests %s: %s", when, figures).isZero();
    }

    private void run() {
        try {
            busy.forEach(Load::introduce);
            idle.forEach(Load::introduce);
            while (!isEnding) {
                selector.select(turnMs());
                selector.selectedKeys().forEach(Load::onReady);
                selector.selectedKeys().clear();
                for (Runnable question = questions.poll(); question != null; question = questions.poll()) {
                    question.run();
                }
                sendDue();
            }
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        } finally {
            busy.forEach(LoadConnection::close);
            idle.forEach(LoadConnection::close);
            channels.close();
        }
    }

    private long turnMs() {
        long dueNs = System.nanoTime() + PAUSE_NS;
        if (!isPaused) {
            for (LoadConnection connection : busy) {
                if (connection.isReady() && !connection.isWaiting()) {
                    dueNs = Math.min(dueNs, connection.doneNs() + PAUSE_NS);
                }
            }
        }
        return Math.max(1, Duration.ofNanos(dueNs - System.nanoTime()).toMillis());
    }

    private void sendDue() {
        long nowNs = System.nanoTime();
        for (LoadConnection connection : busy) {
            if (!isPaused
                    && connection.isReady()
                    && !connection.isWaiting()
                    && nowNs - connection.doneNs() >= PAUSE_NS) {
                attempt(connection, connection::sendBurst);
            }
        }
    }

    private static void introduce(LoadConnection connection) {
        if (!connection.isHeld()) {
            attempt(connection, connection::introduce);
        }
    }

    private static void onReady(SelectionKey key) {
        LoadConnection connection = (LoadConnection) key.attachment();
        attempt(connection, connection::onReady);
    }

    private static void attempt(LoadConnection connection, Io action) {
        try {
            action.run();
        } catch (IOException fault) {
            connection.fault(fault.toString());
        }
    }

    /** Has the load's thread answer. */
    private <T> T ask(Supplier<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        questions.add(() -> answer.complete(question.get()));
        selector.wakeup();
        return answer.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }

    /** Closes all connections. */
    @Override
    public void close() {
        isEnding = true;
        selector.wakeup();
        try {
            thread.join(LIMIT.toMillis());
            selector.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** What is done under load. */
    public interface Change {
        /** Does it; returns when it counts. */
        void run() throws Exception;
    }

    private interface Io {
        void run() throws IOException;
    }
}
