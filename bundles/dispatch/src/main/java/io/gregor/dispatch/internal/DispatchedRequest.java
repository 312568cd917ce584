package io.gregor.dispatch.internal;

import io.gregor.internal.request.Connection;
import io.gregor.internal.request.Hurried;
import io.gregor.internal.request.Outgoing;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.apache.kafka.common.network.Send;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.SendBuilder;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.server.common.RequestLocal;
import org.jspecify.annotations.Nullable;

/**
 * A request of a connection, from its frame to the last byte of its response; it is the response that is posted, too.
 * Handed from the processor over the channel to a handler thread, and with the answer ({@code answered}, set once) back to
 * the processor; the buffer is given back once by whoever is first.
 */
final class DispatchedRequest extends ParsedRequest implements Work, Outgoing, Hurried, RequestTimes {
    private static final AtomicIntegerFieldUpdater<DispatchedRequest> ANSWERED =
            AtomicIntegerFieldUpdater.newUpdater(DispatchedRequest.class, "answered");

    private static final AtomicReferenceFieldUpdater<DispatchedRequest, Runnable> ON_RELEASE =
            AtomicReferenceFieldUpdater.newUpdater(DispatchedRequest.class, Runnable.class, "onRelease");

    private static final AtomicReferenceFieldUpdater<DispatchedRequest, Runnable> ON_HURRY =
            AtomicReferenceFieldUpdater.newUpdater(DispatchedRequest.class, Runnable.class, "onHurry");

    private final RoleDispatcher dispatcher;
    private final Connection connection;
    private final ByteBuffer frame;
    private final int bodyStart;
    private final boolean brief;
    private final long receivedNs;

    private volatile int answered;
    private volatile @Nullable Runnable onRelease;
    private volatile @Nullable Runnable onHurry;
    private @Nullable RequestLocal local;
    private Kind kind = Kind.NOTHING;
    private @Nullable Send send;

    private long dequeuedNs;
    private long localDoneNs;
    private long answeredNs;
    private long responseDequeuedNs;
    private long completedNs;

    DispatchedRequest(RoleDispatcher dispatcher, ReceivedFrame received, ParsedFrame parsed, boolean brief) {
        super(parsed.context(), parsed.body());
        this.dispatcher = dispatcher;
        this.connection = received.connection();
        this.frame = received.bytes();
        this.bodyStart = parsed.bodyStart();
        this.receivedNs = received.receivedNs();
        this.onRelease = received.onRelease();
        this.brief = brief;
    }

    @Override
    public boolean isBrief() {
        return brief;
    }

    @Override
    public void run(RequestLocal threadLocal) {
        dequeuedNs = dispatcher.nowNs();
        local = threadLocal;
        dispatcher.serve(this);
        if (localDoneNs == 0) {
            localDoneNs = dispatcher.nowNs();
        }
    }

    @Override
    public void abandon() {
        releaseBody();
    }

    @Override
    void useLocal(RequestLocal threadLocal) {
        local = threadLocal;
    }

    @Override
    public RequestLocal local() {
        RequestLocal current = local;
        return current == null ? RequestLocal.noCaching() : current;
    }

    @Override
    public long receivedNs() {
        return receivedNs;
    }

    @Override
    public ByteBuffer bodyBytes() {
        if (onRelease == null) {
            throw new IllegalStateException("the receive buffer was given back: " + this);
        }
        return frame.duplicate().position(bodyStart).slice().asReadOnlyBuffer();
    }

    @Override
    public void releaseBody() {
        Runnable release = ON_RELEASE.getAndSet(this, null);
        if (release != null) {
            release.run();
        }
    }

    @Override
    boolean isAnswered() {
        return answered != 0;
    }

    @Override
    public void respond(AbstractResponse response) {
        answer(Kind.SEND, context().buildResponseSend(response));
    }

    @Override
    public void respond(ApiMessage message) {
        answer(Kind.SEND, SendBuilder.buildResponseSend(responseHeader(), message, responseVersion()));
    }

    @Override
    public void respondBytes(ByteBuffer body) {
        answer(Kind.SEND, KeptAnswer.send(responseHeader(), body));
    }

    @Override
    public void respondNothing() {
        answer(Kind.NOTHING, null);
    }

    @Override
    public void closeConnection() {
        answer(Kind.CLOSE, null);
    }

    private void answer(Kind answerKind, @Nullable Send answerSend) {
        if (!ANSWERED.compareAndSet(this, 0, 1)) {
            throw new IllegalStateException("answered before, an answer is given once: " + this);
        }
        kind = answerKind;
        send = answerSend;
        answeredNs = dispatcher.nowNs();
        if (localDoneNs == 0) {
            localDoneNs = answeredNs;
        }
        connection.post(this);
    }

    @Override
    public void startThrottle() {
        connection.post(ThrottleEvent.START);
    }

    @Override
    public void endThrottle() {
        connection.post(ThrottleEvent.END);
    }

    @Override
    public void later(Runnable work) {
        dispatcher.later(new FollowUp(this, work));
    }

    @Override
    public void whenHurried(Runnable work) {
        if (!ON_HURRY.compareAndSet(this, null, work)) {
            endWait(work);
        }
    }

    @Override
    public void hurry() {
        Runnable work = onHurry == Hurry.ASKED ? null : ON_HURRY.getAndSet(this, Hurry.ASKED);
        if (work != null && work != Hurry.ASKED) {
            endWait(work);
        }
    }

    /** Immutable. Stands in {@code onHurry} from the moment when the answer is wanted. */
    private enum Hurry implements Runnable {
        ASKED;

        @Override
        public void run() {}
    }

    /** On a handler thread: it may read logs and make an answer, which is not for processors. */
    private void endWait(Runnable work) {
        if (!isAnswered()) {
            later(work);
        }
    }

    @Override
    public Kind kind() {
        return kind;
    }

    @Override
    public Send send() {
        Send ready = send;
        if (ready == null) {
            throw new IllegalStateException("kind=" + kind + " has no bytes: " + this);
        }
        return ready;
    }

    @Override
    public void dequeued(long nowNs) {
        responseDequeuedNs = nowNs;
        connection.inHand(null);
    }

    @Override
    public void completed(long nowNs) {
        completedNs = nowNs;
        releaseBody();
        dispatcher.completed(this);
    }

    @Override
    public void dropped() {
        releaseBody();
    }

    @Override
    public DispatchedRequest request() {
        return this;
    }

    @Override
    public long dequeuedNs() {
        return dequeuedNs;
    }

    @Override
    public long localDoneNs() {
        return localDoneNs;
    }

    @Override
    public long answeredNs() {
        return answeredNs;
    }

    @Override
    public long responseDequeuedNs() {
        return responseDequeuedNs;
    }

    @Override
    public long completedNs() {
        return completedNs;
    }
}
