package io.gregor.internal.dispatch;

import java.util.List;

/** What dispatch shows of itself. A service with the property {@code role}. Shared: any thread; each call is a snapshot. */
public interface DispatchView {
    /** The handler that serves an API key: the versions, the bundle it comes from, how many others stand behind it. */
    record HandlerRow(
            int apiKey, String name, int minVersion, int maxVersion, String handler, String bundle, int others) {}

    /** Requests that wait for a handler thread. */
    int queueDepth();

    /** {@code queued.max.requests}. */
    int queueCapacity();

    /** Handler threads, and how many of them are at work. */
    int handlerThreads();

    /** Handler threads at work. */
    int busyHandlerThreads();

    /** What is served, by API key. */
    List<HandlerRow> handlers();
}
