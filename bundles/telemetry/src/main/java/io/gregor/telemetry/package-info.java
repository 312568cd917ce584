/** Collects what clients tell of themselves (KIP-714), while a plugin receives it. */
@NullMarked
package io.gregor.telemetry;

import org.jspecify.annotations.NullMarked;
