/** Logs on disk, as replication and the handlers use them. */
@Export
@NullMarked
package io.gregor.internal.storage;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
