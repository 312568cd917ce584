/**
 * Reads and checks the configuration, opens the log directories, offers the result as services; changes the configuration while
 * the node runs: try, store, switch on. Not exported.
 */
@NullMarked
package io.gregor.node.internal;

import org.jspecify.annotations.NullMarked;
