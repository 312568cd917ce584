/** The engine's log manager: made from the node's configuration, started, watched, stopped. */
@NullMarked
package io.gregor.storage.internal;

import org.jspecify.annotations.NullMarked;
