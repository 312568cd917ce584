/** What several group handlers share: answering when a future ends, whether the consumer protocol is on. */
@NullMarked
package io.gregor.handlers.groups.internal;

import org.jspecify.annotations.NullMarked;
