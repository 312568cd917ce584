/**
 * Partitions led and followed by this broker: appends, reads, what waits for them, high watermarks, leadership changes. Files
 * are the storage bundle's, requests and responses the handlers'.
 */
@NullMarked
package io.gregor.replication.internal;

import org.jspecify.annotations.NullMarked;
