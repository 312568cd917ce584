package io.gregor.testing;

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

/** Allows everything but what a test denies. Owned by the test's thread. */
public final class FakeAuthorization implements Authorization {
    /** What {@link #allowedOperations} answers always. */
    public static final int OPERATIONS = 77;

    private static final String CLUSTER = "kafka-cluster";

    private final Set<String> denied = new HashSet<>();

    /** Denies {@code name} for every operation, {@code OPERATION name}, or {@code OPERATION TYPE name}. */
    public FakeAuthorization deny(String what) {
        denied.add(what);
        return this;
    }

    @Override
    public boolean isOpen() {
        return denied.isEmpty();
    }

    @Override
    public boolean isAllowed(RequestContext who, AclOperation operation, ResourceType type, String name) {
        return !denied.contains(name)
                && !denied.contains(operation + " " + name)
                && !denied.contains(operation + " " + type + " " + name);
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

    /** True unless anything is denied. */
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
        return items.stream()
                .map(name)
                .filter(item -> isAllowed(who, operation, type, item))
                .collect(Collectors.toSet());
    }

    @Override
    public void requireCluster(RequestContext who, AclOperation operation) {
        if (!isAllowed(who, operation, ResourceType.CLUSTER, CLUSTER)) {
            throw new ClusterAuthorizationException("denied by the test");
        }
    }

    @Override
    public int allowedOperations(RequestContext who, ResourceType type, String name) {
        return OPERATIONS;
    }
}
