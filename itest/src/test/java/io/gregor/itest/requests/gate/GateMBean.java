package io.gregor.itest.requests.gate;

/** Holds requests back in their handler threads until it is opened. An MBean of the node, for the test. */
public interface GateMBean {
    /** How many handler threads stand before it. */
    int getWaiting();

    /** Lets all of them go, and everyone who comes later. */
    void open();
}
