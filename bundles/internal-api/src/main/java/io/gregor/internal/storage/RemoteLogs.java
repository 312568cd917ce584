package io.gregor.internal.storage;

import org.apache.kafka.server.log.remote.storage.RemoteLogManager;

/**
 * The part of this broker's logs that is in remote storage (KIP-405). A service of the storage bundle, there only with
 * {@code remote.log.storage.system.enable=true}: whoever needs it then has the reference {@code remoteLogs}, optional by
 * itself and required by configuration. Shared: any thread.
 */
public interface RemoteLogs {
    /** Kafka's remote log manager; its reads run on threads of its own. */
    RemoteLogManager manager();

    /** {@code remote.fetch.max.wait.ms}, as it counts now. */
    long fetchMaxWaitMs();

    /** {@code remote.list.offsets.request.timeout.ms}, as it counts now: for requests that tell no time-out. */
    long listOffsetsTimeoutMs();
}
