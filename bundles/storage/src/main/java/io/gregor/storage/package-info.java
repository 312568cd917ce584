/** The component that keeps the broker's logs. What a log is, is the engine's; what is done with its records, replication's. */
@NullMarked
package io.gregor.storage;

import org.jspecify.annotations.NullMarked;
