package io.gregor.controller;

import io.gregor.api.Request;
import io.gregor.controller.internal.ForwardedContext;
import io.gregor.internal.dispatch.Authorization;
import io.gregor.internal.node.Configurations;
import io.gregor.internal.quota.ClientQuotas;
import io.gregor.internal.request.Metered;
import io.gregor.internal.security.TokenRequests;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.controller.Controller;
import org.apache.kafka.controller.ControllerRequestContext;
import org.apache.kafka.server.quota.ClientQuotaType;
import org.apache.kafka.server.quota.ControllerMutationQuota;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * What the handlers share: the controller, the right to ask it, and one way to answer from its futures. Answers are given on
 * the controller's own thread: turning a response into bytes is cheap there, and a hand-over would cost more. Shared: any
 * thread.
 */
@Component(
        configurationPid = Configurations.CONTROLLER,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        service = ControllerCalls.class)
public final class ControllerCalls {
    /** The quotas of this role; null while there are none. */
    @Reference(
            target = "(role=controller)",
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC)
    volatile @Nullable ClientQuotas quotas;

    private final Controller controller;
    private final Authorization authorization;

    /** Calls this controller. */
    @Activate
    public ControllerCalls(
            @Reference Controller controller, @Reference(target = "(role=controller)") Authorization authorization) {
        this.controller = controller;
        this.authorization = authorization;
    }

    Controller controller() {
        return controller;
    }

    Authorization authorization() {
        return authorization;
    }

    /** Throws ClusterAuthorizationException if the operation on the cluster is not allowed. */
    void requireCluster(Request request, AclOperation operation) {
        authorization.requireCluster(request.context(), operation);
    }

    /** Who asks, for an operation without deadline. */
    static ControllerRequestContext context(Request request) {
        return new ControllerRequestContext(request.context(), OptionalLong.empty());
    }

    /** Who asks, for an operation that fails when the controller has not come to it in time. */
    static ControllerRequestContext context(Request request, int timeoutMs) {
        return new ControllerRequestContext(
                request.context(), ControllerRequestContext.requestTimeoutMsToDeadlineNs(Time.SYSTEM, timeoutMs));
    }

    /** The same, of an operation that changes partitions, which a quota counts. */
    static ControllerRequestContext context(Request request, int timeoutMs, ControllerMutationQuota quota) {
        return new ControllerRequestContext(
                request.context(),
                ControllerRequestContext.requestTimeoutMsToDeadlineNs(Time.SYSTEM, timeoutMs),
                partitions -> quota.record(partitions));
    }

    /**
     * What counts the partitions that a request creates or deletes (KIP-599).
     *
     * @param strictSince the version of the request from which on too many are refused
     */
    ControllerMutationQuota mutations(Request request, int strictSince) {
        ClientQuotas current = quotas;
        return current == null
                ? ControllerMutationQuota.UNBOUNDED_CONTROLLER_MUTATION_QUOTA
                : current.mutations(request.context(), strictSince);
    }

    /** Whether the request came through a broker, which has checked what a broker checks. */
    static boolean isForwarded(Request request) {
        return request.context() instanceof ForwardedContext;
    }

    /** Whether a request about delegation tokens is answered, be it forwarded or over the client's own connection. */
    static boolean mayAskAboutTokens(Request request) {
        return isForwarded(request)
                ? TokenRequests.areAllowedForwarded(request.context())
                : TokenRequests.areAllowed(request.context());
    }

    /**
     * Answers when the controller has done it, and holds the client back if the quota says so: the response made of its result, or the API's response for its fault. A
     * response that the request's version cannot hold is a fault too: without an answer the broker that forwarded the
     * request would wait, and all its clients with it.
     */
    static <T> void answer(
            Request request,
            ControllerMutationQuota quota,
            CompletionStage<T> result,
            Function<T, AbstractResponse> response) {
        answer(request, result, value -> {
            if (request instanceof Metered metered) {
                metered.throttle(ClientQuotaType.CONTROLLER_MUTATION, quota.throttleTime());
            }
            return response.apply(value);
        });
    }

    /** The same for what no quota counts. */
    static <T> void answer(Request request, CompletionStage<T> result, Function<T, AbstractResponse> response) {
        result.thenApply(response).thenAccept(request::respond).whenComplete((nothing, fault) -> {
            if (fault != null) {
                request.respondError(Errors.maybeUnwrapException(fault));
            }
        });
    }
}
