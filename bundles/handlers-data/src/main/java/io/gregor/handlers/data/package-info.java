/** Handlers of the APIs that touch records, one class per API key. What they work on is replication's. */
@NullMarked
package io.gregor.handlers.data;

import org.jspecify.annotations.NullMarked;
