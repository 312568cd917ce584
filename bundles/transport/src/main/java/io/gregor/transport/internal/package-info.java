/**
 * Acceptors, processors and connections: bytes become frames, frames become the business of dispatch, responses become
 * bytes. Nothing here knows a Kafka header.
 */
@NullMarked
package io.gregor.transport.internal;

import org.jspecify.annotations.NullMarked;
