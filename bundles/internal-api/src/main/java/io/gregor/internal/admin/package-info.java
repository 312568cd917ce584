/**
 * What the handlers of both roles share that change configurations: what a change of settings comes to, and the rules for
 * log levels. No I/O, no threads.
 */
@Export
@NullMarked
package io.gregor.internal.admin;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
