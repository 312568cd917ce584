/** How a node of either role tells the cluster anew where it is reached. No I/O, no threads. */
@Export
@NullMarked
package io.gregor.internal.registration;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
