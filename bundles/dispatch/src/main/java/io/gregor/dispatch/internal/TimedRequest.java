package io.gregor.dispatch.internal;

import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.jspecify.annotations.Nullable;

/**
 * A request whose times are taken on its way. Handed from thread to thread with it: each time is written by the thread that
 * has the request then.
 */
abstract class TimedRequest extends ParsedRequest implements RequestTimes {
    private final long receivedNs;
    private long dequeuedNs;
    private long localDoneNs;
    private long followUpSinceNs;
    private long followUpNs;
    private long answeredNs;
    private long responseDequeuedNs;
    private long completedNs;
    private volatile @Nullable EmbeddedRequest embedded;

    TimedRequest(RequestContext context, @Nullable AbstractRequest body, int bodySize, long receivedNs) {
        super(context, body, bodySize);
        this.receivedNs = receivedNs;
    }

    /** The clock of {@link #receivedNs}. */
    abstract long nowNs();

    @Override
    final boolean isEmbedded() {
        return false;
    }

    /** What is inside it is what was asked. */
    final void embed(EmbeddedRequest inner) {
        embedded = inner;
    }

    final void takenByHandler() {
        dequeuedNs = nowNs();
    }

    final void doneByHandler() {
        if (localDoneNs == 0) {
            localDoneNs = nowNs();
        }
    }

    @Override
    final void followUpBegins() {
        followUpSinceNs = nowNs();
    }

    @Override
    final void followUpEnds() {
        if (!isAnswered()) {
            endFollowUp(nowNs());
        }
    }

    /** Before the answer is handed over. */
    final void answerIsReady() {
        answeredNs = nowNs();
        if (localDoneNs == 0) {
            localDoneNs = answeredNs;
        }
        endFollowUp(answeredNs);
    }

    final void takenByProcessor(long nowNs) {
        responseDequeuedNs = nowNs;
    }

    /** A response that its processor never took had been waiting for it until now. */
    final void done(long nowNs) {
        if (responseDequeuedNs == 0) {
            responseDequeuedNs = nowNs;
        }
        completedNs = nowNs;
    }

    /** How long handler threads have worked on it until now. */
    final long threadNs() {
        long nowNs = nowNs();
        long untilNs = localDoneNs == 0 ? nowNs : localDoneNs;
        long laterNs = followUpNs + (followUpSinceNs == 0 ? 0 : nowNs - followUpSinceNs);
        return Math.max(0, untilNs - dequeuedNs + laterNs);
    }

    private void endFollowUp(long nowNs) {
        if (followUpSinceNs != 0) {
            followUpNs += nowNs - followUpSinceNs;
            followUpSinceNs = 0;
        }
    }

    @Override
    public final ParsedRequest subject() {
        EmbeddedRequest inner = embedded;
        return inner != null && inner.isAnswered() ? inner : this;
    }

    /** Whether a bundle has it in hand, or what came inside it. Any thread. */
    final boolean isInHandOf(HandlerBundle asked) {
        EmbeddedRequest inner = embedded;
        return !isAnswered() && (bundle() == asked || (inner != null && inner.bundle() == asked));
    }

    @Override
    public final boolean isForwarded() {
        return embedded != null;
    }

    @Override
    public final long receivedNs() {
        return receivedNs;
    }

    @Override
    public final long dequeuedNs() {
        return dequeuedNs;
    }

    @Override
    public final long localDoneNs() {
        return localDoneNs;
    }

    @Override
    public final long followUpNs() {
        return followUpNs;
    }

    @Override
    public final long answeredNs() {
        return answeredNs;
    }

    @Override
    public final long responseDequeuedNs() {
        return responseDequeuedNs;
    }

    @Override
    public final long completedNs() {
        return completedNs;
    }
}
