/** The SASL authenticator of listeners. */
@NullMarked
package io.gregor.security.sasl;

import org.jspecify.annotations.NullMarked;
