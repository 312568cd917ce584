/** What the security protocols show to the rest of the node. */
@Export
@NullMarked
package io.gregor.internal.security;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
