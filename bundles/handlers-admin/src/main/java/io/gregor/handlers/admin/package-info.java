/**
 * One stateless handler per API key of administration: topics, configurations, log directories, the quorum. What only the
 * controller can do is forwarded to it; what this broker knows is answered here. How answers are put together is in {@code
 * internal}.
 */
@NullMarked
package io.gregor.handlers.admin;

import org.jspecify.annotations.NullMarked;
