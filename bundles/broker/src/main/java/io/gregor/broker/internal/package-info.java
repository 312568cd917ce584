/** The parts of the broker role: what it serves from, how it forwards, topics and producer ids on demand. */
@NullMarked
package io.gregor.broker.internal;

import org.jspecify.annotations.NullMarked;
