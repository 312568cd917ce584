/** Stores of certificates, engines made of them, and what becomes of both while the node runs. */
@NullMarked
package io.gregor.security.tls.internal;

import org.jspecify.annotations.NullMarked;
