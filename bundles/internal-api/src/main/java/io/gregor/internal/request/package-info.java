/** Where the bytes of transport become requests of dispatch, and responses go back. What flows over the seam, nothing else. */
@Export
@NullMarked
package io.gregor.internal.request;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
