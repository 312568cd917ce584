/** The node as the other bundles see it: roles, configuration, identity, faults, readiness. No I/O, no threads of its own. */
@Export
@NullMarked
package io.gregor.internal.node;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
