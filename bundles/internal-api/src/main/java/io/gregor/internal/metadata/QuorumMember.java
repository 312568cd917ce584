package io.gregor.internal.metadata;

/** This node in the Raft quorum. A service of the metadata bundle, there while the Raft client runs. Shared: any thread. */
public interface QuorumMember {
    /**
     * Leaves for good, when the node stops: a leader resigns and waits for its successor, which needs the listener open for
     * votes; then the Raft client ends. The calling thread waits, at most some seconds. Further calls do nothing.
     */
    void leave();
}
