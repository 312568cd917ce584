package io.gregor.internal.broker;

import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.requests.RequestContext;

/** Creates the internal topics of streams groups (KIP-1071). A service of the broker bundle. Shared: any thread. */
public interface StreamsTopicCreation {
    /**
     * Starts the creation in the name of a client; topics that are under way are left alone.
     *
     * @param topics what to create, by name
     * @param keepErrorsMs how long what the controller says to it is kept for {@link #errors}, in milliseconds
     */
    void create(Map<String, CreatableTopic> topics, RequestContext who, long keepErrorsMs);

    /** What the controller last said to {@link #create}, by topic; those that it created are not in it. */
    Map<String, String> errors(Set<String> names);
}
