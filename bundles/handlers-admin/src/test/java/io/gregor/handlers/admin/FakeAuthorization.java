package io.gregor.handlers.admin;

import io.gregor.internal.dispatch.Authorization;
import java.util.Collection;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;

/** Denies whatever has a name that is in {@code denied}. */
record FakeAuthorization(Set<String> denied) implements Authorization {
    @Override
    public boolean isAllowed(RequestContext who, AclOperation operation, ResourceType type, String name) {
        return !denied.contains(name);
    }

    @Override
    public boolean isAllowed(
            RequestContext who,
            AclOperation operation,
            ResourceType type,
            String name,
            boolean logAllowed,
            boolean logDenied) {
        return !denied.contains(name);
    }

    @Override
    public boolean isAllowedSomewhere(RequestContext who, AclOperation operation, ResourceType type) {
        return denied.isEmpty();
    }

    @Override
    public <T> Set<String> allowed(
            RequestContext who,
            AclOperation operation,
            ResourceType type,
            Collection<T> items,
            Function<T, String> name) {
        return items.stream().map(name).filter(one -> !denied.contains(one)).collect(Collectors.toSet());
    }

    @Override
    public void requireCluster(RequestContext who, AclOperation operation) {
        if (denied.contains("kafka-cluster")) {
            throw new ClusterAuthorizationException("denied");
        }
    }

    @Override
    public int allowedOperations(RequestContext who, ResourceType type, String name) {
        return 0;
    }
}
