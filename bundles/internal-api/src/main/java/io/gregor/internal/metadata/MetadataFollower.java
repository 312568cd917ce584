package io.gregor.internal.metadata;

import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;

/** What a part of the node does with the metadata. Called on the metadata loader's thread, one call at a time. */
public interface MetadataFollower {
    /**
     * Applies the first image. The part is ready when this returns.
     *
     * @param delta the whole image as a change of the empty one
     * @throws Exception if the node cannot go on without it: the fault is fatal
     */
    void begin(MetadataDelta delta, MetadataImage image) throws Exception;

    /**
     * Applies a change. A fault is logged and counted; the next change comes all the same.
     *
     * @param image what the metadata is with the change
     */
    void follow(MetadataDelta delta, MetadataImage image);
}
