package io.gregor.node;

import io.gregor.api.TopicNames;
import io.gregor.internal.metadata.ServedMetadata;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * Tells plugins the names of topics. It is there before the broker's metadata are, so that a filter need not wait for them,
 * and knows no topic until then. Shared: any thread.
 */
@Component
public final class ServedTopicNames implements TopicNames {
    private volatile @Nullable ServedMetadata metadata;

    @Reference(target = "(role=broker)", cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    void bindMetadata(ServedMetadata served) {
        metadata = served;
    }

    void unbindMetadata(ServedMetadata served) {
        if (metadata == served) {
            metadata = null;
        }
    }

    @Override
    public Optional<String> name(Uuid topicId) {
        ServedMetadata served = metadata;
        return served == null ? Optional.empty() : served.cache().getTopicName(topicId);
    }
}
