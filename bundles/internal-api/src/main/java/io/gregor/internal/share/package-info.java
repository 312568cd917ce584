/** What handlers ask of the share partitions of this broker (KIP-932). Interfaces and values. */
@Export
@NullMarked
package io.gregor.internal.share;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
