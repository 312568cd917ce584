/** The TLS layer of listeners. */
@NullMarked
package io.gregor.security.tls;

import org.jspecify.annotations.NullMarked;
