package io.gregor.internal.node;

/**
 * A latch for the doors of a role, with the service property {@link Role#PROPERTY}. Registered for the broker once it is
 * unfenced for the first time, for the controller once the Raft client can answer and all its handlers are there; from then
 * on requests are taken. It stays, fenced or not, until the node stops; then its leaving closes the doors.
 */
public interface RoleReady {}
