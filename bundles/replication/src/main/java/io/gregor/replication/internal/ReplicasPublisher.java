package io.gregor.replication.internal;

import io.gregor.internal.node.NodeFaults;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;

/** Applies changes of the topics to this broker's partitions. Owned by the metadata loader's thread. */
public final class ReplicasPublisher implements MetadataPublisher {
    private final ReplicaStore replicas;
    private final NodeFaults faults;
    private final Runnable onStarted;
    private boolean started;

    /** Calls {@code onStarted} on the loader's thread once the first image is applied. */
    public ReplicasPublisher(ReplicaStore replicas, NodeFaults faults, Runnable onStarted) {
        this.replicas = replicas;
        this.faults = faults;
        this.onStarted = onStarted;
    }

    @Override
    public String name() {
        return "ReplicasPublisher";
    }

    @Override
    public void onMetadataUpdate(MetadataDelta delta, MetadataImage image, LoaderManifest manifest) {
        if (delta.topicsDelta() != null) {
            try {
                replicas.apply(delta.topicsDelta());
            } catch (RuntimeException e) {
                faults.nonFatal("replication").handleFault("error applying topics delta: offset=" + image.offset(), e);
            }
        }
        if (!started) {
            started = true;
            replicas.start();
            onStarted.run();
        }
    }

    @Override
    public void close() {
        // nothing is held that the component does not close
    }
}
