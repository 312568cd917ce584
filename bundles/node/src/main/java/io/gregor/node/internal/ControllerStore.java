package io.gregor.node.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.change.LiveConfig.Scope;
import io.gregor.internal.metadata.ControllerChannels;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.Role;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.apache.kafka.common.requests.IncrementalAlterConfigsResponse;
import org.apache.kafka.server.common.ControllerRequestCompletionHandler;
import org.apache.kafka.server.common.NodeToControllerChannelManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores dynamic values with the active controller in the name of this node, over one channel that is opened for the first
 * change and kept: the log often shows a change before its answer comes, and then the next one begins. Shared: any thread.
 */
final class ControllerStore implements Reconfiguration.OwnStore {
    private static final Logger LOGGER = LoggerFactory.getLogger(ControllerStore.class);
    private static final String CHANNEL = "dynamic-config";

    private final NodeConfig config;
    private final Executor thread;

    @GuardedBy("this")
    private @Nullable ControllerChannels channels;

    @GuardedBy("this")
    private @Nullable NodeToControllerChannelManager opened;

    /**
     * Without channels at first.
     *
     * @param thread closes channels: it may wait for their threads
     */
    ControllerStore(NodeConfig config, Executor thread) {
        this.config = config;
        this.thread = thread;
    }

    synchronized void channels(@Nullable ControllerChannels present) {
        closeOpened();
        channels = present;
    }

    synchronized void forget(ControllerChannels leaving) {
        if (channels == leaving) {
            channels(null);
        }
    }

    @Override
    public CompletableFuture<ApiError> store(
            Scope scope, Map<String, @Nullable String> values, boolean isValidateOnly) {
        NodeToControllerChannelManager channel = channel();
        if (channel == null) {
            return CompletableFuture.completedFuture(new ApiError(
                    Errors.BROKER_NOT_AVAILABLE, "this node has no way to the controller yet: try again later"));
        }
        CompletableFuture<ApiError> answer = new CompletableFuture<>();
        channel.sendRequest(
                new IncrementalAlterConfigsRequest.Builder(request(scope, values, isValidateOnly)),
                new ControllerRequestCompletionHandler() {
                    @Override
                    public void onTimeout() {
                        answer.complete(
                                new ApiError(Errors.REQUEST_TIMED_OUT, "the active controller did not answer in time"));
                    }

                    @Override
                    public void onComplete(ClientResponse response) {
                        answer.complete(error(response));
                    }
                });
        return answer;
    }

    private synchronized @Nullable NodeToControllerChannelManager channel() {
        ControllerChannels present = channels;
        if (opened == null && present != null) {
            Role role = config.roles().contains(Role.BROKER) ? Role.BROKER : Role.CONTROLLER;
            opened = present.channel(role, CHANNEL, config.values().requestTimeoutMs());
            opened.start();
        }
        return opened;
    }

    @GuardedBy("this")
    private void closeOpened() {
        NodeToControllerChannelManager leaving = opened;
        opened = null;
        if (leaving != null) {
            thread.execute(() -> close(leaving));
        }
    }

    private IncrementalAlterConfigsRequestData request(
            Scope scope, Map<String, @Nullable String> values, boolean isValidateOnly) {
        AlterConfigsResource resource = new AlterConfigsResource()
                .setResourceType(ConfigResource.Type.BROKER.id())
                .setResourceName(scope == Scope.NODE ? Integer.toString(config.nodeId()) : "");
        values.forEach((key, value) -> resource.configs()
                .add(new AlterableConfig()
                        .setName(key)
                        .setValue(value)
                        .setConfigOperation((value == null ? OpType.DELETE : OpType.SET).id())));
        IncrementalAlterConfigsRequestData data =
                new IncrementalAlterConfigsRequestData().setValidateOnly(isValidateOnly);
        data.resources().add(resource);
        return data;
    }

    private static ApiError error(ClientResponse response) {
        if (response.authenticationException() != null) {
            return ApiError.fromThrowable(response.authenticationException());
        }
        if (response.versionMismatch() != null) {
            return ApiError.fromThrowable(response.versionMismatch());
        }
        if (response.responseBody() instanceof IncrementalAlterConfigsResponse answer
                && !answer.data().responses().isEmpty()) {
            AlterConfigsResourceResponse resource = answer.data().responses().get(0);
            return new ApiError(resource.errorCode(), resource.errorMessage());
        }
        return new ApiError(Errors.NETWORK_EXCEPTION, "the active controller's answer was lost");
    }

    private static void close(NodeToControllerChannelManager channel) {
        try {
            channel.shutdown();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException fault) {
            LOGGER.warn("a channel to the controller does not close", fault);
        }
    }
}
