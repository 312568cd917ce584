package io.gregor.internal.metadata;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.metadata.authorizer.StandardAcl;

/**
 * What an image must show before a client may hear that ACLs were changed, so that the change counts with the next request.
 * Immutable. Another change of the same ACLs may come in between: who waits needs {@link #LIMIT_MS}.
 */
public final class ShownAcls {
    /** How long an answer is held back at most, milliseconds. */
    public static final long LIMIT_MS = 5_000;

    private ShownAcls() {}

    /** The image has all of these. */
    public static Predicate<MetadataImage> present(Collection<AclBinding> bindings) {
        Set<StandardAcl> wanted = acls(bindings);
        return image -> {
            Set<StandardAcl> missing = new HashSet<>(wanted);
            for (StandardAcl acl : image.acls().acls().values()) {
                if (missing.remove(acl) && missing.isEmpty()) {
                    return true;
                }
            }
            return missing.isEmpty();
        };
    }

    /** The image has none of these. */
    public static Predicate<MetadataImage> absent(Collection<AclBinding> bindings) {
        Set<StandardAcl> unwanted = acls(bindings);
        return image ->
                unwanted.isEmpty() || image.acls().acls().values().stream().noneMatch(unwanted::contains);
    }

    private static Set<StandardAcl> acls(Collection<AclBinding> bindings) {
        Set<StandardAcl> acls = new HashSet<>();
        bindings.forEach(binding -> acls.add(StandardAcl.fromAclBinding(binding)));
        return Set.copyOf(acls);
    }
}
