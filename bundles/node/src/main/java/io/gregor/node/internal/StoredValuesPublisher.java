package io.gregor.node.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.image.ConfigurationsImage;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the dynamic values of this node when they change. Owned by the metadata loader's thread. For the first image it waits
 * until the parts have what is stored: what starts after it, starts with these values. Later it never waits, since a part that
 * applies a change may wait for the metadata itself.
 */
final class StoredValuesPublisher implements MetadataPublisher {
    private static final Logger LOGGER = LoggerFactory.getLogger(StoredValuesPublisher.class);
    private static final long FIRST_LIMIT_MS = 10_000;

    /** Is told the values. */
    interface Seen {
        /**
         * Called whenever one of them was stored, be it the same.
         *
         * @param isOfNode whether it was one of this node's own
         * @return ends when they were looked at
         */
        CompletableFuture<Void> values(StoredValues now, boolean isOfNode);
    }

    private final ConfigResource cluster = new ConfigResource(ConfigResource.Type.BROKER, "");
    private final ConfigResource node;
    private final int nodeId;
    private final Seen seen;
    private boolean isFirst = true;

    /** Of one node. */
    StoredValuesPublisher(int nodeId, Seen seen) {
        this.nodeId = nodeId;
        this.node = new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(nodeId));
        this.seen = seen;
    }

    @Override
    public String name() {
        return "DynamicConfigPublisher node id=" + nodeId;
    }

    @Override
    public void onMetadataUpdate(MetadataDelta delta, MetadataImage newImage, LoaderManifest manifest) {
        if (!isFirst && delta.configsDelta() == null) {
            return;
        }
        ConfigurationsImage configs = newImage.configs();
        boolean isOfNode =
                delta.configsDelta() != null && delta.configsDelta().changes().containsKey(node);
        CompletableFuture<Void> looked = seen.values(
                new StoredValues(configs.configMapForResource(cluster), configs.configMapForResource(node)), isOfNode);
        if (isFirst) {
            isFirst = false;
            await(looked);
        }
    }

    @Override
    public void close() {
        // nothing is open
    }

    private static void await(CompletableFuture<Void> looked) {
        try {
            looked.get(FIRST_LIMIT_MS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException slow) {
            LOGGER.warn("the stored settings are still being applied, the start goes on: waitedMs={}", FIRST_LIMIT_MS);
        } catch (ExecutionException fault) {
            LOGGER.error("the stored settings were not looked at", fault.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
