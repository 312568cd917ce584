package io.gregor.storage.internal;

import io.gregor.internal.node.NodeFaults;
import java.util.Properties;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.image.ConfigurationsDelta;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;

/**
 * Loads the logs when the first image is there, so that stray ones are known, and keeps their topics' settings up to date.
 * Owned by the metadata loader's thread.
 */
public final class LogsPublisher implements MetadataPublisher {
    private final LogStore logs;
    private final NodeFaults faults;
    private final Runnable onStarted;
    private boolean started;

    /** Calls {@code onStarted} on the loader's thread once the logs are loaded. */
    public LogsPublisher(LogStore logs, NodeFaults faults, Runnable onStarted) {
        this.logs = logs;
        this.faults = faults;
        this.onStarted = onStarted;
    }

    @Override
    public String name() {
        return "LogsPublisher";
    }

    @Override
    public void onMetadataUpdate(MetadataDelta delta, MetadataImage image, LoaderManifest manifest) {
        if (!started) {
            start(image);
        } else if (delta.configsDelta() != null) {
            applyTopicConfigs(delta.configsDelta(), image);
        }
    }

    private void start(MetadataImage image) {
        started = true;
        try {
            logs.start(image);
        } catch (Exception e) {
            faults.fatal("storage").handleFault("error starting LogManager", e);
            return;
        }
        onStarted.run();
    }

    private void applyTopicConfigs(ConfigurationsDelta delta, MetadataImage image) {
        for (ConfigResource resource : delta.changes().keySet()) {
            if (resource.type() == ConfigResource.Type.TOPIC) {
                Properties settings = image.configs().configProperties(resource);
                try {
                    logs.topicConfigChanged(resource.name(), settings);
                } catch (RuntimeException e) {
                    faults.nonFatal("storage").handleFault("error applying settings of topic=" + resource.name(), e);
                }
            }
        }
    }

    @Override
    public void close() {
        // nothing is held that the component does not close
    }
}
