package io.gregor.api;

import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Knows the names of topics that requests name by id only: Produce from version 13 on, Fetch from 13, and others (KIP-516).
 * An OSGi service that is there before plugins are.
 */
@ProviderType
public interface TopicNames {
    /**
     * The name of a topic, from the metadata that this node answers from. An id that has a name keeps it for as long as the
     * topic exists. Any thread; does not wait.
     *
     * @param topicId the id, as in a request
     * @return the name; empty if there is no such topic, if this node has not heard of it yet, or if it is no broker: for a
     *     request, UNKNOWN_TOPIC_ID tells the client to ask for metadata and to try again
     */
    Optional<String> name(Uuid topicId);
}
