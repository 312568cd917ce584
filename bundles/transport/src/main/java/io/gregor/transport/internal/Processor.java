package io.gregor.transport.internal;

import io.gregor.internal.node.EngineThread;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongUnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One network thread: its selector, its connections, all that is read from and written to them. Owned by its own thread;
 * what comes from other threads waits in queues. Blocks on the full request channel, on nothing else. {@link Ending} has the
 * states of its life.
 */
public final class Processor implements Runnable {
    private static final Logger LOGGER = LoggerFactory.getLogger(Processor.class);
    private static final long NS_PER_MS = 1_000_000L;

    private final int id;
    private final RoleTransport role;
    private final String listener;
    private final Thread thread;
    private final Selection selection;
    private final OwnerThread owner = new OwnerThread();
    private final NetworkCounters counters;
    private final ProcessorMetrics metrics;
    private final ConnectionSet connections;
    private final FrameDelivery delivery;
    private final RefusedClients refused;
    private final ChannelReader reader;
    private final ChannelDriver driver;
    private final GuardedDriver guarded;
    private final ResponseQueue responses;
    private final CloseOrders closeOrders = new CloseOrders(this);
    private final NewConnections newConnections;
    private final Relocation relocation;
    private final Ending ending;
    private final BooleanSupplier workSeeker = this::hasWork;
    private final LongUnaryOperator deadline = this::untilNextDeadlineMs;
    private final CompletableFuture<Integer> end = new CompletableFuture<>();

    private volatile boolean poked;
    private volatile boolean ended;

    /** A processor whose thread is not started. */
    public Processor(int id, RoleTransport role, ListenerChannels channels) throws IOException {
        this.id = id;
        this.role = role;
        this.listener = channels.listener().value();
        this.counters = role.metrics().counters();
        this.selection = new Selection(role.time(), counters);
        this.metrics = role.metrics()
                .ofProcessor(
                        counters, new ProcessorMetrics.Of(id, listener, this::connectionCount, this::queuedResponses));
        this.connections = new ConnectionSet(role, counters, metrics);
        this.delivery = new FrameDelivery(role.intake(), role.time(), counters);
        this.refused = new RefusedClients(connections, role);
        this.reader = new ChannelReader(role, connections, delivery, refused);
        this.driver = new ChannelDriver(role.time(), connections, refused, reader);
        this.guarded = new GuardedDriver(this, connections, delivery, driver);
        this.responses = new ResponseQueue(this, selection);
        this.newConnections = new NewConnections(this, role, channels, selection.selector(), counters);
        this.relocation = new Relocation(this, connections, selection.selector());
        this.ending = new Ending(role, connections, relocation, newConnections, driver, guarded);
        this.thread = EngineThread.nonDaemon(threadName(channels), this);
    }

    /** New connections get this from now on; those that are there keep what they have. */
    void channels(ListenerChannels next) {
        newConnections.channels(next);
        thread.setName(threadName(next));
    }

    /** What new connections get now. */
    ListenerChannels channels() {
        return newConnections.channels();
    }

    /** Starts the thread; once. */
    public void start() {
        metrics.register();
        role.processors().add(this);
        thread.start();
    }

    /** Gives back what a processor has that is not started. */
    void discard() {
        metrics.close();
        closeSelection();
    }

    /** The name of its listener. */
    String listener() {
        return listener;
    }

    /** The name of its thread. */
    String threadName() {
        return thread.getName();
    }

    /** The number in the thread's name. */
    public int id() {
        return id;
    }

    /** What is seen of it in Kafka's metrics. */
    ProcessorMetrics metrics() {
        return metrics;
    }

    /** Its connections; others than the owner only look. */
    ConnectionSet connections() {
        return connections;
    }

    /** Takes orders to close connections. */
    CloseOrders closeOrders() {
        return closeOrders;
    }

    /** How many responses wait for the thread. */
    int queuedResponses() {
        return responses.size();
    }

    /** Throws unless the processor's own thread calls. */
    void check() {
        owner.check();
    }

    /**
     * Takes an accepted connection over if there is room for it.
     *
     * @param mayWait whether to wait until there is room
     * @return false if there is no room, or the processor retires
     */
    boolean offer(Accepted accepted, boolean mayWait) throws InterruptedException {
        if (!newConnections.offer(accepted, mayWait)) {
            return false;
        }
        selection.wake();
        if (ended) {
            newConnections.discard();
        }
        return true;
    }

    /** Tells that something has come for one of the connections. */
    void post(ClientConnection connection) {
        responses.put(connection);
    }

    /** How many connections it has just now. */
    int connectionCount() {
        return connections.all().size();
    }

    /** Moves some of its connections to others in turn, in whatever state they are; their ids stay. */
    void share(int count, Rotation targets) {
        connections.all().stream().limit(count).forEach(connection -> relocation.order(connection, targets.next()));
        poke();
    }

    /** Moves all connections to others, which no longer deal any out to this one, and ends the thread. */
    void retire(Rotation successors) {
        ending.orderAway(successors);
        poke();
    }

    /** Ends with the thread; with the number of connections that were moved away, if it retired. */
    CompletableFuture<Integer> retired() {
        return end;
    }

    /** Takes no more new connections but those that wait, which lets an acceptor go that waits for room. */
    void takeNoMore() {
        newConnections.close();
    }

    /** Ends its connections, each when everything that has come is answered, and then the thread. */
    void drain(Drain order) {
        ending.orderDrain(order);
        poke();
    }

    /** Takes a connection that its former processor hands over; false if the thread has ended, and it is not taken. */
    boolean arrive(ClientConnection connection) {
        relocation.arrive(connection);
        poke();
        return !ended || !relocation.takeBack(connection);
    }

    /** Has it look again at the connections that wait for memory or for dispatch. */
    public void poke() {
        poked = true;
        selection.wake();
    }

    /** Closes each connection once its request is answered, all of them after a while, and ends the thread. */
    public void closeDoors(long closeWithinNs) {
        ending.orderClose(role.time().nanoseconds() + closeWithinNs);
        poke();
    }

    /** Waits for the end of the thread; false if it takes longer. */
    public boolean awaitEnd(long timeoutMs) throws InterruptedException {
        thread.join(timeoutMs);
        return !thread.isAlive();
    }

    @Override
    public void run() {
        owner.claim();
        try {
            do {
                ended = false;
                while (!ending.isDone()) {
                    turn();
                }
                ended = true; // who hands over sees it, or is seen
            } while (!ending.isForced() && relocation.hasArrivals());
        } catch (Throwable fault) {
            role.faults().handleFault("a network thread failed: thread=" + thread.getName(), fault);
        } finally {
            end();
        }
    }

    private void turn() throws IOException {
        ending.takeNewConnections();
        guarded.takeResponses(responses);
        relocation.detach();
        List<ClientConnection> selected = select();
        relocation.handOver();
        guarded.serve(selected);
        guarded.resume(reader.takeUnfinished());
        if (poked) {
            answerPoke();
        }
        delivery.settle();
        long nowNs = role.time().nanoseconds();
        if (nowNs >= connections.nextCheckNs()) {
            connections.closeIdle(nowNs);
        }
        refused.closeDue(nowNs);
        ending.goOn(nowNs);
        counters.turnEnds(nowNs);
    }

    private List<ClientConnection> select() throws IOException {
        return hasWork() || hasWorkAfterYield() ? selection.now() : selection.await(workSeeker, deadline);
    }

    /** A handler that was just given a request often answers before this thread would be asleep: it gets the core first. */
    @SuppressWarnings("ThreadPriorityCheck")
    private boolean hasWorkAfterYield() {
        if (!delivery.takeHandedOver()) {
            return false;
        }
        Thread.yield();
        return hasWork();
    }

    private boolean hasWork() {
        return !responses.isEmpty()
                || !newConnections.isEmpty()
                || reader.hasUnfinished()
                || relocation.isLeaving()
                || poked
                || ending.isDone();
    }

    /** At least 1; 0, which is for ever, if there is no deadline. */
    private long untilNextDeadlineMs(long nowNs) {
        long deadlineNs = Math.min(connections.nextCheckNs(), refused.nextNs());
        deadlineNs = Math.min(deadlineNs, ending.nextNs());
        if (deadlineNs == IdleWheel.NEVER) {
            return 0;
        }
        return Math.max(1, (deadlineNs - nowNs + NS_PER_MS - 1) / NS_PER_MS);
    }

    private void answerPoke() {
        poked = false;
        ending.begin();
        if (relocation.hasArrivals()) {
            attachArrivals();
        }
        guarded.resume(reader.takeWaiting());
        closeOrders.carryOut(connections);
        connections.followSettings(role.time().nanoseconds());
    }

    private void attachArrivals() {
        List<ClientConnection> arrived = relocation.attach(role.time().nanoseconds());
        guarded.resumeArrived(arrived);
        ending.meet(arrived);
        if (relocation.isRetiring()) {
            poked = true; // they go on at once
        }
    }

    private String threadName(ListenerChannels channels) {
        return "data-plane-kafka-network-thread-" + role.settings().nodeId() + "-"
                + channels.listener().value() + "-"
                + channels.security().protocol() + "-" + id;
    }

    private void end() {
        ended = true;
        role.processors().remove(this);
        metrics.close();
        closeOrders.close();
        ending.closeRest();
        responses.close();
        closeSelection();
        end.complete(relocation.retired());
    }

    private void closeSelection() {
        try {
            selection.close();
        } catch (IOException e) {
            LOGGER.debug("closing a selector failed: thread={} reason={}", thread.getName(), e.toString());
        }
    }
}
