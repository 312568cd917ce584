/**
 * Changing the node's settings while it runs: try, store, switch on. The parts that can be changed, and the one way to
 * change them. Everything here runs on the reconfiguration thread unless it says otherwise.
 */
@Export
@NullMarked
package io.gregor.internal.change;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
