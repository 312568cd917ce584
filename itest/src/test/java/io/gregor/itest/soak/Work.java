package io.gregor.itest.soak;

import io.gregor.itest.GregorProcess;

/** One kind of strain on a node. Owned by a thread of its own while it goes on. */
@FunctionalInterface
interface Work {
    /**
     * Goes on until it is over, and closes then what it has opened.
     *
     * @param ending tells when it is time to end
     * @param done is called for each unit that has been done
     * @throws Exception what the node must not do
     */
    void go(GregorProcess node, Ending ending, Runnable done) throws Exception;
}
