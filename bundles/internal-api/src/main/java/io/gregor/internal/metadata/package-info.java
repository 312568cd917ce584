/** The cluster's metadata: the feed of changes, what handlers may answer from, the way to the controller. */
@Export
@NullMarked
package io.gregor.internal.metadata;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
