package io.gregor.dispatch.internal;

/**
 * Where the objects of handlers and filters come from. Immutable.
 *
 * @param handlers the handlers'
 * @param filters the filters'
 */
public record ServiceObjects(BoundHandler.Source handlers, BoundFilter.Source filters) {}
