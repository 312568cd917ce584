package io.gregor.handlers.admin.internal;

/**
 * Which resource is meant. Immutable.
 *
 * @param type the resource type's number; a number that nobody knows is one too
 * @param name the resource's name
 */
public record ConfigKey(byte type, String name) {}
