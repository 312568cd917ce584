package io.gregor.handlers.cluster.internal;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.metadata.MetadataCache;
import org.apache.kafka.server.common.KRaftVersion;
import org.jspecify.annotations.Nullable;

/**
 * Shared: handler threads. The answers that were given from one image, by their questions. They are few kinds by nature
 * (clients of a cluster ask for the same topics); what goes over the limits is answered and not kept.
 */
public final class MetadataAnswers {
    private static final int MAX_BYTES = 8 * 1024 * 1024;
    private static final int MAX_BYTES_OF_ONE = 1024 * 1024;
    private static final int MAX_ANSWERS = 4096;

    private final MetadataImage image;
    private final KRaftMetadataCache view;
    private final Map<MetadataQuestion, ByteBuffer> byQuestion = new ConcurrentHashMap<>();
    private final AtomicLong keptBytes = new AtomicLong();

    /** No answers yet. */
    public MetadataAnswers(int nodeId, MetadataImage image) {
        this.image = image;
        this.view = new KRaftMetadataCache(nodeId, () -> KRaftVersion.KRAFT_VERSION_0);
        view.setImage(image);
    }

    /** Whether the answers are given from this image, the same object. */
    @SuppressWarnings("ReferenceEquality")
    public boolean isOf(MetadataImage now) {
        return image == now;
    }

    /** Kafka's look-ups over that image, whatever image comes later. */
    public MetadataCache view() {
        return view;
    }

    /** The kept body of a response; null if there is none. */
    public @Nullable ByteBuffer find(MetadataQuestion question) {
        return byQuestion.get(question);
    }

    /** Keeps the body of a response, within the limits. */
    public void keep(MetadataQuestion question, ByteBuffer response) {
        int size = response.remaining();
        if (size > MAX_BYTES_OF_ONE || byQuestion.size() >= MAX_ANSWERS) {
            return;
        }
        if (keptBytes.addAndGet(size) > MAX_BYTES) {
            keptBytes.addAndGet(-size);
            return;
        }
        byQuestion.put(question, response);
    }
}
