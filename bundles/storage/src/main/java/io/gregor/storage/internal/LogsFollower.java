package io.gregor.storage.internal;

import io.gregor.internal.metadata.MetadataFollower;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.fault.FaultHandler;

/**
 * Loads the logs when the first image is there, so that stray ones are known, and keeps their topics' settings up to date.
 * The settings of a deleted topic go after its logs, which do not get others before. Owned by the metadata loader's thread.
 */
public final class LogsFollower implements MetadataFollower {
    private final LogStore logs;
    private final FaultHandler faults;

    /** Follows for these logs; a topic whose settings cannot be applied does not keep others from getting theirs. */
    public LogsFollower(LogStore logs, FaultHandler faults) {
        this.logs = logs;
        this.faults = faults;
    }

    @Override
    public void begin(MetadataDelta delta, MetadataImage image) throws Exception {
        logs.start(image);
    }

    @Override
    public void follow(MetadataDelta delta, MetadataImage image) {
        if (delta.configsDelta() == null) {
            return;
        }
        for (ConfigResource resource : delta.configsDelta().changes().keySet()) {
            if (resource.type() == ConfigResource.Type.TOPIC && image.topics().getTopic(resource.name()) != null) {
                try {
                    logs.topicConfigChanged(resource.name(), image.configs().configProperties(resource));
                } catch (RuntimeException e) {
                    faults.handleFault("error applying settings of topic=" + resource.name(), e);
                }
            }
        }
    }
}
