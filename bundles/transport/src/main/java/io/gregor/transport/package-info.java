/**
 * The listeners of a role as components: ports, threads, and the two parts of the security seam that need no settings.
 * What happens on the threads is in {@code internal}; what a request means is known to dispatch alone.
 */
@NullMarked
package io.gregor.transport;

import org.jspecify.annotations.NullMarked;
