package io.gregor.handlers.admin;

import io.gregor.internal.change.LiveSettings;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Knows which keys can be changed while the node runs: those that a part of it owns. Shared: any thread. */
@Component(service = LiveKeys.class)
public final class LiveKeys {
    private final List<LiveSettings> parts = new CopyOnWriteArrayList<>();

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void bindPart(LiveSettings part) {
        parts.add(part);
    }

    void unbindPart(LiveSettings part) {
        parts.remove(part);
    }

    /** Whether a change of a key takes effect on this node now. */
    boolean contain(String key) {
        return parts.stream().anyMatch(part -> part.owns(key));
    }
}
