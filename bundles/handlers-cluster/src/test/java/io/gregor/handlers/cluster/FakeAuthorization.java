package io.gregor.handlers.cluster;

import io.gregor.internal.dispatch.Authorization;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.resource.ResourceType;

/** Allows everything but what a test forbids, as {@code OPERATION TYPE name}. */
final class FakeAuthorization implements Authorization {
    final Set<String> forbidden = new HashSet<>();

    FakeAuthorization forbid(String what) {
        forbidden.add(what);
        return this;
    }

    @Override
    public boolean isOpen() {
        return forbidden.isEmpty();
    }

    @Override
    public boolean isAllowed(RequestContext who, AclOperation operation, ResourceType type, String name) {
        return !forbidden.contains(operation + " " + type + " " + name);
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
                .filter(item -> isAllowed(who, operation, type, item))
                .collect(Collectors.toSet());
    }

    @Override
    public void requireCluster(RequestContext who, AclOperation operation) {
        if (!isAllowed(who, operation, ResourceType.CLUSTER, "kafka-cluster")) {
            throw new ClusterAuthorizationException("forbidden by the test");
        }
    }

    @Override
    public int allowedOperations(RequestContext who, ResourceType type, String name) {
        return 77;
    }
}
