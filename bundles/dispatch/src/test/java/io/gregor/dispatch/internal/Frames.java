package io.gregor.dispatch.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.message.RequestHeaderData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.RequestUtils;

/** Frames as they come behind their length. */
final class Frames {
    private Frames() {}

    static ByteBuffer of(ApiKeys api, int version, ApiMessage body) {
        short headerVersion = api.requestHeaderVersion((short) version);
        RequestHeaderData header = new RequestHeaderData()
                .setRequestApiKey(api.id)
                .setRequestApiVersion((short) version)
                .setCorrelationId(7)
                .setClientId("test");
        return RequestUtils.serialize(header, headerVersion, body, (short) version);
    }

    /** A header of version 1 and a body, byte for byte. */
    static ByteBuffer raw(int key, int version, byte[] clientId, int clientIdLength, byte... body) {
        ByteBuffer frame = ByteBuffer.allocate(10 + clientId.length + body.length);
        frame.putShort((short) key).putShort((short) version).putInt(7).putShort((short) clientIdLength);
        return frame.put(clientId).put(body).flip();
    }

    static ByteBuffer raw(int key, int version, byte... body) {
        return raw(key, version, "test".getBytes(StandardCharsets.UTF_8), 4, body);
    }

    /** A flexible header (version 2) and a body, as a new API has it. */
    static ByteBuffer newApi(int key, int version, byte... body) {
        ByteBuffer frame = ByteBuffer.allocate(15 + body.length);
        frame.putShort((short) key).putShort((short) version).putInt(7).putShort((short) 4);
        frame.put("test".getBytes(StandardCharsets.UTF_8)).put((byte) 0);
        return frame.put(body).flip();
    }
}
