package io.gregor.handlers.cluster.internal;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.protocol.Errors;
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
    private final Map<MetadataQuestion, Kept> byQuestion = new ConcurrentHashMap<>();
    private final AtomicLong keptBytes = new AtomicLong();

    /**
     * An answer that is kept. Immutable.
     *
     * @param body the bytes of the response's body
     * @param errorCounts how often it has which error, as metrics count them
     */
    public record Kept(ByteBuffer body, Map<Errors, Integer> errorCounts) {}

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

    /** The kept answer; null if there is none. */
    public @Nullable Kept find(MetadataQuestion question) {
        return byQuestion.get(question);
    }

    /** Keeps an answer, within the limits. */
    public void keep(MetadataQuestion question, Kept response) {
        int size = response.body().remaining();
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
