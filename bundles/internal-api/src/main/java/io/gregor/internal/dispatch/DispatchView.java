package io.gregor.internal.dispatch;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What dispatch shows of itself. A service with the property {@code role}. Shared: any thread; each call is a snapshot. */
public interface DispatchView {
    /**
     * An API key that is served. Immutable.
     *
     * @param handler the component that serves it; empty while its requests wait for one
     * @param bundle name and version of the bundle it comes from
     * @param others how many more stand behind it
     * @param trial who serves a share of the connections instead; null if nobody does
     * @param filters who sees its requests before, the one next to the client first
     * @param requests how many have been answered since the node started
     * @param waiting how many wait for a handler
     */
    record HandlerRow(
            int apiKey,
            String name,
            int minVersion,
            int maxVersion,
            String handler,
            String bundle,
            int others,
            @Nullable TrialRow trial,
            List<String> filters,
            long requests,
            int waiting) {}

    /** A handler on trial: its component, name and version of its bundle, its share of the connections. Immutable. */
    record TrialRow(String handler, String bundle, int sharePercent) {}

    /**
     * How the role has done over about the last minute; 0 where nothing was measured.
     *
     * @param handlerIdleRatio how much of their time handler threads slept: 1 is all of it
     * @param queueTimeP99Ms 99 of 100 requests waited no longer in the request channel
     * @param localTimeP99Ms the same for the work on a handler thread
     * @param remoteTimeP99Ms the same for what was waited for elsewhere: records, followers, members, the controller
     * @param responseQueueTimeP99Ms the same for responses that waited for their processor
     * @param responseSendTimeP99Ms the same for writing a response to its socket
     * @param queueSize requests that wait just now
     * @param queueCapacity {@code queued.max.requests}
     */
    record Figures(
            double handlerIdleRatio,
            double queueTimeP99Ms,
            double localTimeP99Ms,
            double remoteTimeP99Ms,
            double responseQueueTimeP99Ms,
            double responseSendTimeP99Ms,
            int queueSize,
            int queueCapacity) {}

    /** The figures that tell where requests spend their time. */
    Figures figures();

    /** Requests that wait for a handler thread. */
    int queueDepth();

    /** {@code queued.max.requests}. */
    int queueCapacity();

    /** Handler threads, and how many of them are at work. */
    int handlerThreads();

    /** Handler threads at work. */
    int busyHandlerThreads();

    /** Requests that wait for a handler to come. */
    int waitingRequests();

    /** The bytes of {@link #waitingRequests}. */
    long waitingBytes();

    /** What is served, by API key. */
    List<HandlerRow> handlers();

    /** The filters, in their order. */
    List<FilterRow> filterRows();

    /** Lets the filters of this name in again that were put out; false if there is none that could come in. */
    boolean tryAgain(String filter);
}
