package io.gregor.internal.request;

/** A request in hand whose answer may be wanted soon, since its connection is to end. Shared: any thread. */
public interface Hurried {
    /**
     * Asks for the answer soon: what waits for something, as a Fetch for records or a JoinGroup for members, is answered
     * with what there is; what is being worked on goes on. The answer comes as it always does. Never blocks; again, or after
     * the answer, it has no effect.
     */
    void hurry();
}
