package io.gregor.metadata.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.internals.Plugin;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.loader.LoaderManifest;
import org.apache.kafka.image.publisher.MetadataPublisher;
import org.apache.kafka.metadata.authorizer.ClusterMetadataAuthorizer;
import org.apache.kafka.metadata.publisher.AclPublisher;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.fault.FaultHandler;
import org.jspecify.annotations.Nullable;

/**
 * Tells authorizers that live on the metadata which ACLs there are, through Kafka's AclPublisher, one for each. One that comes
 * late gets them at once, so that it is ready when {@link #add} returns.
 *
 * <p>Shared: images come on the metadata loader's thread, authorizers on any. The lock is held while an authorizer takes ACLs
 * in: none may see an image between the one that it began with and the next.
 */
public final class FedAuthorizers implements MetadataPublisher {
    private static final String NODE_TYPE = "node";

    private final int nodeId;
    private final FaultHandler faults;

    @GuardedBy("this")
    private final Map<ClusterMetadataAuthorizer, AclPublisher> fed = new LinkedHashMap<>();

    @GuardedBy("this")
    private @Nullable MetadataImage image;

    /** Without authorizers. */
    public FedAuthorizers(int nodeId, FaultHandler faults) {
        this.nodeId = nodeId;
        this.faults = faults;
    }

    /** An authorizer has come: from now on it has the ACLs, at once if there has been an image. */
    public synchronized void add(ClusterMetadataAuthorizer authorizer) {
        MetadataImage known = image;
        if (known != null) {
            try {
                authorizer.loadSnapshot(known.acls().acls());
                authorizer.completeInitialLoad();
            } catch (RuntimeException fault) {
                authorizer.completeInitialLoad(fault);
                faults.handleFault("authorizer does not take the ACLs: class=" + authorizer.getClass(), fault);
            }
        }
        Plugin<Authorizer> plugin = Plugin.wrapInstance(authorizer, null, Map::of);
        fed.put(authorizer, new AclPublisher(nodeId, faults, NODE_TYPE, Optional.of(plugin)));
    }

    /** An authorizer has left. */
    public synchronized void remove(ClusterMetadataAuthorizer authorizer) {
        fed.remove(authorizer);
    }

    @Override
    public String name() {
        return "FedAuthorizers id=" + nodeId;
    }

    @Override
    public synchronized void onMetadataUpdate(MetadataDelta delta, MetadataImage newImage, LoaderManifest manifest) {
        image = newImage;
        fed.values().forEach(publisher -> publisher.onMetadataUpdate(delta, newImage, manifest));
    }

    /** An authorizer without ACLs stays as it is: the node stops. */
    @Override
    public void close() {}
}
