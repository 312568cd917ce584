/** Subscriptions of clients and receivers of their metrics. */
@NullMarked
package io.gregor.telemetry.internal;

import org.jspecify.annotations.NullMarked;
