package io.gregor.dispatch.internal;

import io.gregor.internal.request.Connection;
import io.gregor.internal.request.Hurried;
import io.gregor.internal.request.Outgoing;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.apache.kafka.common.network.Send;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.SendBuilder;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.server.common.RequestLocal;
import org.jspecify.annotations.Nullable;

/**
 * A request of a connection, from its frame to the last byte of its response; it is the response that is posted, too.
 * Handed from the processor over the channel to a handler thread, and with the answer (which is claimed once) back to
 * the processor; the buffer is given back once by whoever is first.
 */
final class DispatchedRequest extends TimedRequest implements Work, Outgoing, Hurried {
    private static final AtomicReferenceFieldUpdater<DispatchedRequest, Runnable> ON_RELEASE =
            AtomicReferenceFieldUpdater.newUpdater(DispatchedRequest.class, Runnable.class, "onRelease");

    private static final AtomicReferenceFieldUpdater<DispatchedRequest, Runnable> ON_HURRY =
            AtomicReferenceFieldUpdater.newUpdater(DispatchedRequest.class, Runnable.class, "onHurry");

    private final RoleDispatcher dispatcher;
    private final Connection connection;
    private final ByteBuffer frame;
    private final int bodyStart;
    private final boolean brief;

    private volatile @Nullable Runnable onRelease;
    private volatile @Nullable Runnable onHurry;
    private @Nullable RequestLocal local;
    private boolean isHeldByHandler;
    private Kind kind = Kind.NOTHING;
    private @Nullable Send send;

    DispatchedRequest(RoleDispatcher dispatcher, ReceivedFrame received, ParsedFrame parsed, boolean brief) {
        super(parsed.context(), parsed.body(), parsed.bodySize(), received.receivedNs());
        this.dispatcher = dispatcher;
        this.connection = received.connection();
        this.frame = received.bytes();
        this.bodyStart = parsed.bodyStart();
        this.onRelease = received.onRelease();
        this.brief = brief;
    }

    @Override
    public boolean isBrief() {
        return brief;
    }

    @Override
    public void run(RequestLocal threadLocal) {
        takenByHandler();
        local = threadLocal;
        dispatcher.serve(this);
        doneByHandler();
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
    long nowNs() {
        return dispatcher.nowNs();
    }

    @Override
    ByteBuffer receivedBytes() {
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
    void give(AbstractResponse response) {
        int throttleTimeMs = settle(response);
        Send bytes = context().buildResponseSend(response);
        claimUnlessFiltered();
        tell(response);
        hold(throttleTimeMs);
        answer(Kind.SEND, bytes);
    }

    @Override
    void give(ApiMessage message) {
        int throttleTimeMs = settle();
        if (throttleTimeMs > 0 && isKafkas()) {
            give(response(message));
            return;
        }
        Send bytes = SendBuilder.buildResponseSend(responseHeader(), message, responseVersion());
        claimUnlessFiltered();
        tell(message);
        hold(throttleTimeMs);
        answer(Kind.SEND, bytes);
    }

    @Override
    void giveBytes(ByteBuffer body, @Nullable Map<Errors, Integer> errorCounts) {
        int throttleTimeMs = settle();
        if (throttleTimeMs > 0 && isKafkas()) {
            give(response(body));
            return;
        }
        Send bytes = KeptAnswer.send(responseHeader(), body);
        claimUnlessFiltered();
        tell(body, errorCounts);
        hold(throttleTimeMs);
        answer(Kind.SEND, bytes);
    }

    @Override
    void giveNothing() {
        if (dispatcher.meter().isOn()) {
            dispatcher.meter().recordExempt(threadNs());
        }
        hold(otherThrottleMs());
        answer(Kind.NOTHING, null);
    }

    @Override
    void giveClose(@Nullable Map<Errors, Integer> errorCounts) {
        if (errorCounts != null) {
            tell(errorCounts);
        }
        answer(Kind.CLOSE, null);
    }

    private void answer(Kind answerKind, @Nullable Send answerSend) {
        kind = answerKind;
        send = answerSend;
        answerIsReady();
        RequestTrace.answered(this, answerKind, answerSend);
        connection.post(this);
    }

    @Override
    int meter() {
        return dispatcher.meter().isOn() && subject() == this
                ? dispatcher.meter().record(this, threadNs())
                : 0;
    }

    /** One that its handler holds back is held back once. */
    private void hold(int throttleTimeMs) {
        if (throttleTimeMs > 0 && !isHeldByHandler) {
            long untilNs = nowNs() + TimeUnit.MILLISECONDS.toNanos(throttleTimeMs);
            hold(
                    dispatcher.meter(),
                    throttleTimeMs,
                    new ConnectionHold(connection, context().clientId(), apiName(), untilNs));
        }
    }

    @Override
    public void startThrottle() {
        isHeldByHandler = true;
        RequestTrace.answered(this, Kind.START_THROTTLE, null);
        connection.post(ThrottleEvent.START);
    }

    @Override
    public void endThrottle() {
        RequestTrace.answered(this, Kind.END_THROTTLE, null);
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
    public boolean isClosing() {
        return kind == Kind.CLOSE;
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
        takenByProcessor(nowNs);
        connection.inHand(null);
    }

    @Override
    public void completed(long nowNs) {
        done(nowNs);
        if (dispatcher.meter().isOn()) {
            dispatcher.meter().recordNetwork(subject(), responseSendNs());
        }
        releaseBody();
        dispatcher.completed(this);
    }

    /** It counts all the same, as in Kafka: the work was done. */
    @Override
    public void dropped() {
        completed(nowNs());
    }
}
