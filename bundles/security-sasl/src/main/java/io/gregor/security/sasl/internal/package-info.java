/** What a listener's mechanisms are made of, and one connection's authentication. */
@NullMarked
package io.gregor.security.sasl.internal;

import org.jspecify.annotations.NullMarked;
