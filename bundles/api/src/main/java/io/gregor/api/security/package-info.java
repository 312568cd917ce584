/**
 * The seam under every listener: a channel layer (plain, TLS) carries bytes, an authenticator (none, SASL) above it finds
 * out who the client is. A security protocol is one of each.
 */
@Export
@Version("2.0.0")
@NullMarked
package io.gregor.api.security;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
