package io.gregor.controller.internal;

import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.metadata.ServedMetadata;
import io.gregor.internal.metadata.ShownAcls;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.errors.SecurityDisabledException;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.server.authorizer.Authorizer;

/**
 * What both changes of ACLs do with the authorizer and its results. Immutable.
 *
 * @param authorization the role's
 * @param metadata what this controller has applied
 */
public record AclChanges(Authorization authorization, ServedMetadata metadata) {
    /** Who takes the change; throws SecurityDisabledException if there is nobody. */
    public Authorizer authorizer() {
        return authorization
                .authorizer()
                .orElseThrow(() -> new SecurityDisabledException("No Authorizer is configured."));
    }

    /** All results, in their order. */
    public static <T> CompletableFuture<List<T>> all(Collection<? extends CompletionStage<T>> stages) {
        List<CompletableFuture<T>> futures = new ArrayList<>();
        stages.forEach(stage -> futures.add(stage.toCompletableFuture()));
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
    }

    /** Ends with the results, once the image shows the change or the limit is over: it is stored, whatever comes then. */
    public <T> CompletionStage<T> shown(T results, Collection<AclBinding> changed, Predicate<MetadataImage> condition) {
        return changed.isEmpty()
                ? CompletableFuture.completedFuture(results)
                : metadata.await(condition, ShownAcls.LIMIT_MS).handle((shown, late) -> results);
    }
}
