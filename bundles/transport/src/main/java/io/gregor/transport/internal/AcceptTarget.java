package io.gregor.transport.internal;

import io.gregor.transport.internal.ConnectionQuotas.ListenerShare;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/**
 * The listener that an acceptor accepts for. Immutable.
 *
 * @param listener its name
 * @param protocol its protocol
 * @param share its place among the listeners
 * @param rotation its processors
 */
record AcceptTarget(String listener, SecurityProtocol protocol, ListenerShare share, Rotation rotation) {}
