/** The partitions of this broker: append, read, look up, watch. */
@Export
@NullMarked
package io.gregor.internal.replication;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
