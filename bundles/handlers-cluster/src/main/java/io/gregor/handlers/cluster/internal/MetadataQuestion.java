package io.gregor.handlers.cluster.internal;

import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.network.ListenerName;

/**
 * Immutable. All that the answer to a Metadata request depends on beside the image, if everything is allowed.
 *
 * @param listener where it was asked; brokers are told by their address at that listener
 * @param version the version of request and response
 * @param body what was asked
 */
public record MetadataQuestion(ListenerName listener, short version, MetadataRequestData body) {
    @Override
    public int hashCode() {
        return (body.hashCode() * 31 + listener.value().hashCode()) * 31 + version;
    }
}
