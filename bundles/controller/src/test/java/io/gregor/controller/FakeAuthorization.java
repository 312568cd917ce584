package io.gregor.controller;

import io.gregor.internal.dispatch.Authorization;
import java.util.Collection;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;

/** Denies the operations on named resources that are in the set, written as {@code DELETE kafka-cluster}. */
public record FakeAuthorization(Set<String> denied) implements Authorization {
    @Override
    public boolean isAllowed(RequestContext who, AclOperation operation, ResourceType type, String name) {
        return !denied.contains(operation + " " + name);
    }

    @Override
    public boolean isAllowed(
            RequestContext who,
            AclOperation operation,
            ResourceType type,
            String name,
            boolean logAllowed,
            boolean logDenied) {
        return isAllowed(who, operation, type, name);
    }

    @Override
    public boolean isAllowedSomewhere(RequestContext who, AclOperation operation, ResourceType type) {
        return true;
    }

    @Override
    public <T> Set<String> allowed(
            RequestContext who,
            AclOperation operation,
            ResourceType type,
            Collection<T> items,
            Function<T, String> name) {
        return items.stream()
                .map(name)
                .filter(one -> isAllowed(who, operation, type, one))
                .collect(Collectors.toSet());
    }

    @Override
    public void requireCluster(RequestContext who, AclOperation operation) {
        if (!isAllowed(who, operation, ResourceType.CLUSTER, "kafka-cluster")) {
            throw new ClusterAuthorizationException("denied");
        }
    }

    @Override
    public int allowedOperations(RequestContext who, ResourceType type, String name) {
        return 0;
    }
}
