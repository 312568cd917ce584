/** What can be looked at in transport: listeners, processors, connections. Read-only snapshots. */
@Export
@NullMarked
package io.gregor.internal.transport;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
