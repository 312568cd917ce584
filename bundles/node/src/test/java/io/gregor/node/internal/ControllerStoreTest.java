package io.gregor.node.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.change.LiveConfig.Scope;
import io.gregor.internal.metadata.ControllerChannels;
import io.gregor.internal.node.Role;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.NodeApiVersions;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.apache.kafka.common.requests.IncrementalAlterConfigsResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.server.common.ControllerRequestCompletionHandler;
import org.apache.kafka.server.common.NodeToControllerChannelManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControllerStoreTest {
    @TempDir
    Path home;

    private final List<String> calls = new ArrayList<>();
    private @Nullable IncrementalAlterConfigsRequestData sent;
    private @Nullable ControllerRequestCompletionHandler handler;
    private ControllerStore store;

    @BeforeEach
    void open() {
        store = new ControllerStore(NodeFile.brokerOnly(home).read(), Runnable::run);
        store.channels(new Channels());
    }

    @Test
    void asksTheControllerInTheNameOfThisNodeOrForAll() {
        store.store(Scope.NODE, LiveRig.map("a=1", "-b"), false);
        assertThat(sent().toString())
                .contains("resourceType=4, resourceName='2'")
                .contains("name='a', configOperation=0, value='1'")
                .contains("name='b', configOperation=1, value=null")
                .contains("validateOnly=false");

        store.store(Scope.CLUSTER, LiveRig.map("a=1"), true);
        assertThat(sent().toString()).contains("resourceName=''").contains("validateOnly=true");
    }

    @Test
    void tellsTheControllersAnswer() {
        CompletableFuture<ApiError> answer = store.store(Scope.NODE, LiveRig.map("a=1"), false);
        assertThat(calls).containsExactly("open broker dynamic-config", "start");

        handler().onComplete(response(answered(Errors.POLICY_VIOLATION, "not on Fridays")));

        assertThat(answer.join()).isEqualTo(new ApiError(Errors.POLICY_VIOLATION, "not on Fridays"));
    }

    @Test
    void aChangeBeforeTheFormerOnesAnswerGoesOverTheSameChannel() {
        store.store(Scope.NODE, LiveRig.map("a=1"), false);
        store.store(Scope.NODE, LiveRig.map("a=2"), false);

        assertThat(calls).containsExactly("open broker dynamic-config", "start");
    }

    @Test
    void theChannelEndsWithTheWayToTheController() {
        Channels gone = new Channels();
        store.channels(gone);
        store.store(Scope.NODE, LiveRig.map("a=1"), false);

        store.forget(gone);

        assertThat(calls).endsWith("shutdown");
    }

    @Test
    void noAnswerIsATimeout() {
        CompletableFuture<ApiError> answer = store.store(Scope.NODE, LiveRig.map("a=1"), false);

        handler().onTimeout();

        assertThat(answer.join().error()).isEqualTo(Errors.REQUEST_TIMED_OUT);
    }

    @Test
    void withoutAWayToTheControllerNothingIsStored() {
        Channels gone = new Channels();
        store.channels(gone);
        store.forget(gone);

        assertThat(store.store(Scope.NODE, LiveRig.map("a=1"), false).join().error())
                .isEqualTo(Errors.BROKER_NOT_AVAILABLE);
    }

    private IncrementalAlterConfigsRequestData sent() {
        assertThat(sent).isNotNull();
        return sent;
    }

    private ControllerRequestCompletionHandler handler() {
        assertThat(handler).isNotNull();
        return handler;
    }

    private static AbstractResponse answered(Errors error, String message) {
        IncrementalAlterConfigsResponseData data = new IncrementalAlterConfigsResponseData();
        data.responses()
                .add(new AlterConfigsResourceResponse()
                        .setErrorCode(error.code())
                        .setErrorMessage(message));
        return new IncrementalAlterConfigsResponse(data);
    }

    private static ClientResponse response(AbstractResponse body) {
        RequestHeader header = new RequestHeader(ApiKeys.INCREMENTAL_ALTER_CONFIGS, (short) 1, "test", 1);
        return new ClientResponse(header, ignored -> {}, "1", 0, 0, false, null, null, body);
    }

    private final class Channels implements ControllerChannels, NodeToControllerChannelManager {
        @Override
        public NodeToControllerChannelManager channel(Role role, String name, long retryTimeoutMs) {
            calls.add("open " + role.property() + " " + name);
            return this;
        }

        @Override
        public void start() {
            calls.add("start");
        }

        @Override
        public void shutdown() {
            calls.add("shutdown");
        }

        @Override
        public Optional<NodeApiVersions> controllerApiVersions() {
            return Optional.empty();
        }

        @Override
        public void sendRequest(
                AbstractRequest.Builder<? extends AbstractRequest> request,
                ControllerRequestCompletionHandler callback) {
            sent = ((IncrementalAlterConfigsRequest) request.build((short) 1)).data();
            handler = callback;
        }

        @Override
        public long getTimeoutMs() {
            return 1;
        }
    }
}
