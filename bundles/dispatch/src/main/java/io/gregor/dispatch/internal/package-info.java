/**
 * From a frame to a handler and back: the check of the header, the request channel with its handler threads, the registry
 * of handlers, and requests with their responses. Nothing here knows sockets, or what an API means.
 */
@NullMarked
package io.gregor.dispatch.internal;

import org.jspecify.annotations.NullMarked;
