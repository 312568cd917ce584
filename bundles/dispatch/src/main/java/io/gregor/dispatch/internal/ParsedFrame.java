package io.gregor.dispatch.internal;

import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.jspecify.annotations.Nullable;

/**
 * What was read from a frame. Immutable.
 *
 * @param context who asks, with the header
 * @param body the parsed body; null for a new API key
 * @param bodyStart where the body begins in the frame
 * @param bodySize how many bytes it has
 */
record ParsedFrame(RequestContext context, @Nullable AbstractRequest body, int bodyStart, int bodySize) {}
