/**
 * The components of the dispatch bundle, once per role: what takes frames from transport and finds the handler of each
 * request. How it is done stands in {@code internal}.
 */
@NullMarked
package io.gregor.dispatch;

import org.jspecify.annotations.NullMarked;
