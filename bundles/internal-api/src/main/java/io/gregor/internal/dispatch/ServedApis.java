package io.gregor.internal.dispatch;

import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersionCollection;

/** Which APIs the role serves just now. A service of dispatch, with the property {@code role}. Shared: any thread. */
public interface ServedApis {
    /** An unchanging list of key and versions; the same object until a handler comes or goes. Not to be changed. */
    Snapshot current();

    /** What is served; compare by identity to know whether it changed. */
    record Snapshot(ApiVersionCollection apis) {}
}
