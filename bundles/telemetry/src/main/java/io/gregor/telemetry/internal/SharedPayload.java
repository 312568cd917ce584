package io.gregor.telemetry.internal;

import java.nio.ByteBuffer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.telemetry.ClientTelemetryPayload;

/** What a client pushed, for several receivers, none of which moves the bytes under another. Immutable. */
record SharedPayload(Uuid clientInstanceId, boolean isTerminating, String contentType, ByteBuffer bytes)
        implements ClientTelemetryPayload {
    static SharedPayload of(ClientTelemetryPayload pushed) {
        return new SharedPayload(
                pushed.clientInstanceId(), pushed.isTerminating(), pushed.contentType(), pushed.data());
    }

    @Override
    public ByteBuffer data() {
        return bytes.asReadOnlyBuffer();
    }
}
