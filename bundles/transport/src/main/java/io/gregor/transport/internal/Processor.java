package io.gregor.transport.internal;

import io.gregor.internal.node.EngineThread;
import io.gregor.internal.request.Outgoing;
import io.gregor.internal.transport.TransportView.ConnectionRow;
import io.gregor.internal.transport.TransportView.ProcessorRow;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.kafka.common.errors.AuthenticationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One network thread: its selector, its connections, all that is read from and written to them. Owned by its own thread;
 * {@link #offer}, {@link #post}, {@link #poke}, {@link #closeDoors} and the rows are for any thread. Blocks on the full
 * request channel, on nothing else.
 *
 * <pre>
 *  running ──closeDoors──▶ closing (answers what is in hand) ──▶ ended
 * </pre>
 */
public final class Processor implements Runnable {
    private static final Logger LOGGER = LoggerFactory.getLogger(Processor.class);
    private static final int RESPONSES_A_TURN = 512;
    private static final long NS_PER_MS = 1_000_000L;
    private static final long NOT_CLOSING = Long.MAX_VALUE;

    private final int id;
    private final RoleTransport role;
    private final ListenerChannels channels;
    private final Thread thread;
    private final Selection selection;
    private final OwnerThread owner = new OwnerThread();
    private final ConnectionSet connections;
    private final FrameDelivery delivery;
    private final RefusedClients refused;
    private final ChannelDriver driver;
    private final ResponseQueue responses;
    private final NewConnections newConnections;
    private final Relocation relocation;
    private final BooleanSupplier workSeeker = this::hasWork;
    private final LongSupplier deadline = this::untilNextDeadlineMs;
    private final Step serving;

    private boolean doorsClosed;
    private volatile boolean poked;
    private volatile boolean ended;
    private volatile long closeByNs = NOT_CLOSING;

    /** What is done with a connection; its fault closes it. */
    private interface Step {
        void take(ClientConnection connection) throws IOException;
    }

    /** A processor whose thread is not started. */
    public Processor(int id, RoleTransport role, ListenerChannels channels) throws IOException {
        long nowNs = role.time().nanoseconds();
        this.id = id;
        this.role = role;
        this.channels = channels;
        this.selection = new Selection();
        this.connections = new ConnectionSet(role.settings().maxIdleMs(), nowNs);
        this.delivery = new FrameDelivery(role.intake());
        this.refused = new RefusedClients(connections, role.settings().failedAuthenticationDelayMs());
        this.driver = new ChannelDriver(role, connections, delivery, refused);
        this.serving = driver::selected;
        this.responses = new ResponseQueue(this, selection);
        this.newConnections = new NewConnections(this, role, channels, selection.selector());
        this.relocation = new Relocation(this, connections, selection.selector());
        this.thread = EngineThread.nonDaemon(
                "data-plane-kafka-network-thread-" + role.settings().nodeId() + "-"
                        + channels.listener().value() + "-"
                        + channels.security().protocol() + "-" + id,
                this);
    }

    /** Starts the thread; once. */
    public void start() {
        thread.start();
    }

    /** The number in the thread's name. */
    public int id() {
        return id;
    }

    /** Throws unless the processor's own thread calls. */
    void check() {
        owner.check();
    }

    /**
     * Takes an accepted connection over if there is room for it.
     *
     * @param mayWait whether to wait until there is room
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

    /** Moves a connection to another processor, in whatever state it is; its id stays. Without effect if it is not here. */
    void move(ClientConnection connection, Processor target) {
        relocation.order(connection, target);
        poke();
    }

    /** Takes a connection that its former processor hands over. */
    void arrive(ClientConnection connection) {
        relocation.arrive(connection);
        poke();
        if (ended) {
            relocation.closeArrivals();
        }
    }

    /** Has it look again at the connections that wait for memory or for dispatch. */
    public void poke() {
        poked = true;
        selection.wake();
    }

    /** Closes each connection once its request is answered, all of them after a while, and ends the thread. */
    public void closeDoors(long closeWithinNs) {
        closeByNs = role.time().nanoseconds() + closeWithinNs;
        poke();
    }

    /** Waits for the end of the thread; false if it takes longer. */
    public boolean awaitEnd(long timeoutMs) throws InterruptedException {
        thread.join(timeoutMs);
        return !thread.isAlive();
    }

    /** What is seen of it from outside. */
    public ProcessorRow row() {
        return new ProcessorRow(
                id,
                channels.listener().value(),
                thread.getName(),
                connections.all().size(),
                responses.size());
    }

    /** What is seen of its connections from outside. */
    public List<ConnectionRow> connectionRows() {
        long nowNs = role.time().nanoseconds();
        return connections.all().stream()
                .map(connection -> connection.row(nowNs))
                .toList();
    }

    @Override
    public void run() {
        owner.claim();
        try {
            while (!isDone()) {
                turn();
            }
        } catch (Throwable fault) {
            role.faults().handleFault("a network thread failed: thread=" + thread.getName(), fault);
        } finally {
            end();
        }
    }

    private boolean isDone() {
        return doorsClosed && (connections.all().isEmpty() || role.time().nanoseconds() - closeByNs >= 0);
    }

    private void turn() throws IOException {
        if (doorsClosed) {
            newConnections.discard();
        } else {
            newConnections.takeInto(connections);
        }
        takeResponses();
        relocation.detach();
        List<ClientConnection> selected = select();
        relocation.handOver();
        serve(selected);
        for (ClientConnection connection : driver.takeUnfinished()) {
            resume(connection);
        }
        if (poked) {
            answerPoke();
        }
        delivery.settle();
        long nowNs = role.time().nanoseconds();
        if (nowNs >= connections.nextCheckNs()) {
            connections.closeIdle(nowNs);
        }
        refused.closeDue(nowNs);
    }

    private void takeResponses() {
        for (int taken = 0; taken < RESPONSES_A_TURN; taken++) {
            ClientConnection connection = responses.poll();
            if (connection == null) {
                break;
            }
            delivery.moreFollow(!responses.isEmpty());
            if (connection.owner() != this) {
                connection.owner().post(connection);
            } else if (connection.key().isRegistered()) {
                takeOutgoing(connection);
            } // else it is about to arrive, and then everything is taken that has come for it
        }
        delivery.settle();
    }

    /** Takes one response or throttle event; false if there is none. */
    private boolean takeOutgoing(ClientConnection connection) {
        Outgoing next = connection.nextOutgoing();
        if (next == null) {
            return false;
        }
        try {
            if (connection.isClosed()) {
                next.dropped();
            } else {
                driver.take(connection, next);
            }
        } catch (IOException | RuntimeException | Error e) {
            closeFaulty(connection, e);
        }
        return true;
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
                || driver.hasUnfinished()
                || relocation.isLeaving()
                || poked
                || isDone();
    }

    /** At least 1; 0, which is for ever, if there is no deadline. */
    private long untilNextDeadlineMs() {
        long deadlineNs = Math.min(connections.nextCheckNs(), refused.nextNs());
        deadlineNs = Math.min(deadlineNs, closeByNs);
        if (deadlineNs == IdleWheel.NEVER) {
            return 0;
        }
        return Math.max(1, (deadlineNs - role.time().nanoseconds() + NS_PER_MS - 1) / NS_PER_MS);
    }

    private void serve(List<ClientConnection> selected) {
        int last = selected.size() - 1;
        for (int index = 0; index <= last; index++) {
            delivery.moreFollow(index < last);
            goOn(selected.get(index), serving);
        }
    }

    private void resume(ClientConnection connection) {
        goOn(connection, driver::resume);
    }

    private void goOn(ClientConnection connection, Step step) {
        if (connection.isClosed() || connection.owner() != this) {
            return;
        }
        try {
            step.take(connection);
        } catch (IOException | RuntimeException | Error e) {
            closeFaulty(connection, e);
        }
    }

    private void answerPoke() {
        poked = false;
        if (closeByNs != NOT_CLOSING && !doorsClosed) {
            doorsClosed = true;
            driver.closeDoors();
        }
        for (ClientConnection connection : relocation.attach(role.time().nanoseconds())) {
            boolean mayHaveMore = true;
            while (mayHaveMore) {
                mayHaveMore = takeOutgoing(connection);
            }
            resume(connection);
        }
        for (ClientConnection connection : driver.takeWaiting()) {
            resume(connection);
        }
    }

    /** A fault in a connection closes that connection: a broken one is the client's affair, a bug is told in full. */
    private void closeFaulty(ClientConnection connection, Throwable fault) {
        if (fault instanceof IOException || fault instanceof AuthenticationException) {
            LOGGER.debug("connection broken: connection={} reason={}", connection, fault.toString());
        } else {
            LOGGER.error(
                    "closing a connection after a fault: connection={} muteState={}",
                    connection,
                    connection.muteState(),
                    fault);
        }
        connections.close(connection);
    }

    private void end() {
        for (ClientConnection connection : connections.all()) {
            connections.close(connection);
        }
        ended = true;
        relocation.closeArrivals();
        newConnections.discard();
        responses.close();
        try {
            selection.close();
        } catch (IOException e) {
            LOGGER.debug("closing a selector failed: thread={} reason={}", thread.getName(), e.toString());
        }
    }
}
