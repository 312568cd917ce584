/**
 * From a frame to a handler and back: the check of the header, the request channel with its handler threads, the registry
 * of handlers, requests with their responses, and what is measured and logged of them. Nothing here knows sockets, or what an API means.
 */
@NullMarked
package io.gregor.dispatch.internal;

import org.jspecify.annotations.NullMarked;
