/**
 * What a plugin author implements and is given: handlers, filters and their requests, settings, names of topics. No I/O, no
 * threads, and nothing that knows how the broker is built.
 */
@Export
@Version("1.0.0")
@NullMarked
package io.gregor.api;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
