package io.gregor.dispatch.internal;

import io.gregor.api.RequestFilter;
import java.util.Arrays;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request and its response on their way through the filters. Handed from handler thread to handler thread with the request;
 * a thread that is lost in a filter has handed it over to the watch.
 */
final class FilterPass {
    /** What becomes of a request behind a filter. */
    private enum Step {
        /** It goes on. */
        ON,
        /** It was answered, refused, or taken away from the thread. */
        ENDED,
        /** The filter is no longer used: the chain is another one. */
        CHANGED
    }

    private static final Logger LOGGER = LoggerFactory.getLogger(FilterPass.class);

    /** Stands for the attachment of a filter that the request has passed by. */
    private static final Object PASSED_BY = new Object();

    private final ParsedRequest request;
    private final FilterWatch watch;
    private BoundFilter[] filters;
    private @Nullable Object[] attachments;
    private int count;
    private boolean awaitsResponse;
    private @Nullable Thread worker;

    FilterPass(ParsedRequest request, FilterWatch watch, int filters) {
        this.request = request;
        this.watch = watch;
        this.filters = new BoundFilter[filters];
        this.attachments = new Object[filters];
    }

    short apiKey() {
        return request.apiKey();
    }

    /** Has the filters of a chain see the request; whether the handler's turn has come. */
    boolean run(FilterChain first) {
        worker = Thread.currentThread();
        request.filters(this);
        CallSlot slot = watch.slot();
        FilterChain chain = first;
        int at = 0;
        while (chain != null && at < chain.size()) {
            BoundFilter filter = chain.covering(at++, request.context());
            Step step = filter == null || has(filter) ? Step.ON : see(filter, slot);
            if (step == Step.ENDED) {
                return false;
            }
            if (step == Step.CHANGED) {
                chain = chain.current();
                at = 0;
            }
        }
        if (!awaitsResponse) {
            request.filters(null);
        }
        return true;
    }

    private boolean has(BoundFilter filter) {
        for (int i = 0; i < count; i++) {
            if (filters[i] == filter) {
                return true;
            }
        }
        return false;
    }

    private Step see(BoundFilter filter, CallSlot slot) {
        RequestFilter object = filter.guard().reason() == null ? filter.filter(apiKey()) : null;
        if (object == null) {
            return filter.isUsed() ? passBy(filter, "is out") : Step.CHANGED;
        }
        int at = add(filter);
        if (filter.seesRequests()) {
            slot.begin(filter, this, at);
        }
        if (!filter.isUsed()) {
            return filter.seesRequests() && !slot.end() ? Step.ENDED : takeBack(Step.CHANGED);
        }
        if (!filter.seesRequests()) {
            return Step.ON;
        }
        watch.begun();
        return call(filter, object, slot, at);
    }

    private Step call(BoundFilter filter, RequestFilter object, CallSlot slot, int at) {
        RequestCall call = new RequestCall(request);
        Throwable thrown = null;
        try {
            object.filterRequest(call);
        } catch (Throwable fault) {
            thrown = fault;
        }
        if (!slot.end()) {
            return Step.ENDED;
        }
        filter.judge(apiKey(), slot.callNs(), slot.callBytes(), thrown);
        if (thrown != null) {
            takeBack(Step.ON);
            return passBy(filter, "failed");
        }
        attachments[at] = call.attachment();
        Answer answer = call.carryOut();
        if (answer == null) {
            return Step.ON;
        }
        end(answer);
        return Step.ENDED;
    }

    /** A filter that could not do its work: the request goes on without it, or is refused. */
    private Step passBy(BoundFilter filter, String why) {
        if (filter.terms().isClosed()) {
            end(closed(filter, why));
            return Step.ENDED;
        }
        int at = count;
        grow();
        filters[at] = filter;
        attachments[at] = PASSED_BY;
        count++;
        return Step.ON;
    }

    private Answer closed(BoundFilter filter, String why) {
        return request.refusal(Errors.POLICY_VIOLATION, "a filter of this request " + why + ": " + filter.name());
    }

    private int add(BoundFilter filter) {
        grow();
        filters[count] = filter;
        attachments[count] = null;
        if (filter.seesResponses()) {
            filter.awaits();
            awaitsResponse = true;
        }
        return count++;
    }

    private Step takeBack(Step then) {
        count--;
        if (filters[count].seesResponses()) {
            filters[count].answered();
        }
        return then;
    }

    private void grow() {
        if (count == filters.length) {
            filters = Arrays.copyOf(filters, count + 4);
            attachments = Arrays.copyOf(attachments, count + 4);
        }
    }

    /** Answers instead of the handler; the filters that have seen the request see the response. */
    private void end(Answer answer) {
        request.claim();
        filterResponse(count, answer);
    }

    /** The handler has answered. Any thread: filters are called on handler threads only. */
    void respond(Answer answer) {
        if (worker == Thread.currentThread()) {
            filterResponse(count, answer);
        } else {
            request.later(() -> filterResponse(count, answer));
        }
    }

    /** Has the filters before this place see the response, the last one first, and gives it to the client. */
    private void filterResponse(int before, Answer given) {
        CallSlot slot = watch.slot();
        Answer answer = given;
        for (int at = before - 1; at >= 0 && !answer.isClosing(); at--) {
            if (attachments[at] != PASSED_BY && filters[at].seesResponses()) {
                Answer next = see(at, answer, slot);
                if (next == null) {
                    return;
                }
                answer = next;
            }
        }
        release();
        deliver(answer);
    }

    /** What a filter leaves of an answer; null if the call was given up. */
    private @Nullable Answer see(int at, Answer answer, CallSlot slot) {
        BoundFilter filter = filters[at];
        RequestFilter object = filter.guard().reason() == null ? filter.filter(apiKey()) : null;
        if (object == null) {
            return without(filter, answer, "is out");
        }
        slot.begin(filter, this, at);
        if (filter.isGone()) {
            return slot.end() ? without(filter, answer, "has left") : null;
        }
        watch.begun();
        ResponseCall call = new ResponseCall(request, answer, attachments[at]);
        Throwable thrown = null;
        try {
            object.filterResponse(call);
        } catch (Throwable fault) {
            thrown = fault;
        }
        if (!slot.end()) {
            return null;
        }
        filter.judge(apiKey(), slot.callNs(), slot.callBytes(), thrown);
        return thrown == null ? call.answer() : without(filter, answer, "failed");
    }

    private Answer without(BoundFilter filter, Answer answer, String why) {
        return filter.terms().isClosed() ? closed(filter, why) : answer;
    }

    private void deliver(Answer answer) {
        try {
            answer.giveTo(request);
        } catch (RuntimeException fault) {
            LOGGER.error("answer could not be sent behind its filters; the client gets an error: {}", request, fault);
            deliverError(fault);
        }
    }

    private void deliverError(RuntimeException fault) {
        try {
            Answer.error(request, fault).giveTo(request);
        } catch (RuntimeException unanswerable) {
            LOGGER.error("error could not be answered; the connection is closed: {}", request, unanswerable);
            request.giveClose(null);
        }
    }

    /** The request ends without a response, or has it: no filter waits for it any more. */
    void release() {
        for (int i = 0; i < count; i++) {
            if (attachments[i] != PASSED_BY && filters[i].seesResponses()) {
                filters[i].answered();
            }
        }
        count = 0;
    }

    /** A handler thread works on the request again. */
    void enters() {
        worker = Thread.currentThread();
    }

    /** It has done so. */
    void leaves() {
        if (worker == Thread.currentThread()) {
            worker = null;
        }
    }

    /** The thread that was in the filter of this place is lost: another one answers. The watch. */
    void lost(int at) {
        request.later(() -> {
            if (!request.isAnswered()) {
                request.claim();
            }
            filterResponse(
                    at,
                    request.refusal(
                            Errors.REQUEST_TIMED_OUT,
                            "a filter of this request did not return: " + filters[at].name()));
        });
    }
}
