package io.gregor.api.security;

import java.util.Map;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.auth.SecurityProtocol;

/**
 * What a channel layer or an authenticator is told about the listener it is made for. Immutable.
 *
 * @param listener the listener's name
 * @param protocol the protocol under which the listener is registered with the cluster
 * @param settings the node's values with those of {@code listener.name.<listener>.} laid over them, prefix removed
 */
public record ListenerSecurity(ListenerName listener, SecurityProtocol protocol, Map<String, Object> settings) {}
