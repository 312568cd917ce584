package io.gregor.security.sasl.internal;

import io.gregor.api.security.SecuredConnection;
import io.gregor.testing.Fake;
import java.nio.channels.SelectionKey;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.network.ChannelMetadataRegistry;
import org.apache.kafka.common.network.ClientInformation;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.jspecify.annotations.Nullable;

/** A connection whose steps aside are taken when the test says. Owned by the test thread. */
final class FakeConnection implements SecuredConnection {
    private @Nullable ClientInformation software;
    private @Nullable Runnable step;
    private boolean isAnswered = true;

    @Override
    public String id() {
        return "connection";
    }

    @Override
    public SelectionKey key() {
        throw Fake.unexpected("key");
    }

    @Override
    public ChannelMetadataRegistry facts() {
        return Fake.of(ChannelMetadataRegistry.class, (proxy, method, arguments) -> {
            if (!method.getName().equals("registerClientInformation")) {
                throw Fake.unexpected(method.getName());
            }
            software = (ClientInformation) arguments[0];
            return null;
        });
    }

    /** What the client has said of itself. */
    @Nullable
    ClientInformation software() {
        return software;
    }

    @Override
    public ApiVersionsResponse apiVersions(short version) {
        if (!isAnswered) {
            throw new IllegalStateException("nobody answers");
        }
        return new ApiVersionsResponse(new ApiVersionsResponseData());
    }

    @Override
    public void aside(Runnable asked) {
        step = asked;
    }

    /** From now on nobody answers ApiVersions. */
    void withoutAnswers() {
        isAnswered = false;
    }

    /** Takes the step that was asked for; false if none was. */
    boolean takeStep() {
        Runnable asked = step;
        step = null;
        if (asked != null) {
            asked.run();
        }
        return asked != null;
    }
}
