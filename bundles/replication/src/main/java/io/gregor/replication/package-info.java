/** The component that keeps the broker's partitions. */
@NullMarked
package io.gregor.replication;

import org.jspecify.annotations.NullMarked;
