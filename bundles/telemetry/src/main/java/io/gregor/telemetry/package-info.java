/** Takes the metrics that clients push (KIP-714) and hands them to plugins that receive them. */
@NullMarked
package io.gregor.telemetry;

import org.jspecify.annotations.NullMarked;
