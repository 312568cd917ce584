package io.gregor.dispatch.internal;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** What is noted of few requests: their bodies for the request log, and conversions. Handed from thread to thread with them. */
final class RequestNotes {
    @Nullable
    JsonNode request;

    @Nullable
    JsonNode response;

    long conversionNs;
    long temporaryMemoryBytes;
}
