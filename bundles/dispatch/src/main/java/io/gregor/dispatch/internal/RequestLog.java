package io.gregor.dispatch.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.message.RequestHeaderDataJsonConverter;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestContext;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.network.RequestConvertToJson;
import org.apache.kafka.network.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The request log: one line of JSON for each request that is done, by the logger {@code kafka.request.logger} at DEBUG, with
 * Kafka's fields. Immutable. Bodies are turned into JSON when they are at hand, since requests and responses may not outlive
 * their use; nothing is done while the level is above.
 */
final class RequestLog {
    private static final Logger LOGGER = LoggerFactory.getLogger("kafka.request.logger");
    private static final short STAND_IN_VERSION = 0;
    private static final double US_PER_MS = 1000.0;

    private RequestLog() {}

    /** Whether requests are logged just now. */
    static boolean isOn() {
        return LOGGER.isDebugEnabled();
    }

    /** The body of a request, without what is secret. */
    static JsonNode body(AbstractRequest request) {
        return json(() -> RequestSecrets.hide(
                request.apiKey(), RequestConvertToJson.request(RequestSecrets.withoutSettings(request))));
    }

    /** The body of a response, without what is secret. */
    static JsonNode body(AbstractResponse response, short version) {
        return json(() -> RequestSecrets.hide(response.apiKey(), RequestConvertToJson.response(response, version)));
    }

    /** The same, of a response that is bytes already. */
    static JsonNode body(ApiKeys api, ByteBuffer response, short version) {
        return json(() -> RequestSecrets.hide(
                api, RequestConvertToJson.response(AnswerErrors.response(api, response, version), version)));
    }

    /** Logs a request that is done. */
    static void completed(RequestTimes times) {
        ParsedRequest request = times.subject();
        RequestNotes notes = request.notes();
        LOGGER.debug("Completed request:{}", json(() -> line(times, request, notes)));
    }

    static JsonNode line(RequestTimes times, ParsedRequest request, @Nullable RequestNotes notes) {
        RequestContext context = request.context();
        boolean isNew = request.apiKey() >= ApiTable.FIRST_NEW_KEY;
        RequestHeader header = isNew ? standIn(context.header) : context.header;
        JsonNode line = RequestConvertToJson.requestDescMetrics(
                header,
                Optional.ofNullable(notes == null ? null : notes.request),
                Optional.ofNullable(notes == null ? null : notes.response),
                context,
                new Session(context.principal, context.clientAddress),
                times.isForwarded(),
                ms(times.totalNs()),
                ms(times.requestQueueNs()),
                ms(times.localNs()),
                ms(times.remoteNs()),
                TimeUnit.NANOSECONDS.toMillis(request.throttleNs()),
                ms(times.responseQueueNs()),
                ms(times.responseSendNs()),
                request.temporaryMemoryBytes(),
                ms(request.conversionNs()));
        if (isNew) {
            ((ObjectNode) line).set("requestHeader", newHeader(context.header, request.apiKey()));
        }
        return line;
    }

    /** Kafka's converter knows the names of its own keys only; the header of another one is put in its place afterwards. */
    private static RequestHeader standIn(RequestHeader header) {
        return new RequestHeader(ApiKeys.API_VERSIONS, STAND_IN_VERSION, header.clientId(), header.correlationId());
    }

    private static JsonNode newHeader(RequestHeader header, short key) {
        ObjectNode node =
                (ObjectNode) RequestHeaderDataJsonConverter.write(header.data(), header.headerVersion(), false);
        return node.set("requestApiKeyName", new TextNode(Short.toString(key)));
    }

    private static double ms(long ns) {
        return TimeUnit.NANOSECONDS.toMicros(ns) / US_PER_MS;
    }

    /** A body that cannot be shown must not cost its request. */
    private static JsonNode json(Supplier<JsonNode> body) {
        try {
            return body.get();
        } catch (RuntimeException unknown) {
            return new TextNode("cannot be shown: " + unknown);
        }
    }
}
