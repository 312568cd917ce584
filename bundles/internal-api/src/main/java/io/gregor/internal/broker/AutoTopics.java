package io.gregor.internal.broker;

import java.util.List;
import java.util.Set;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.requests.RequestContext;
import org.jspecify.annotations.Nullable;

/** Creates topics that are asked for but not there. A service of the broker bundle. Shared: any thread. */
public interface AutoTopics {
    /**
     * Starts the creation of topics in the name of a client, and says what the client is told meanwhile.
     *
     * @param names topics that are not in the metadata
     * @param who the client, null when the broker itself needs them (internal topics)
     * @return one entry a topic, with its error
     */
    List<MetadataResponseTopic> create(Set<String> names, @Nullable RequestContext who);
}
