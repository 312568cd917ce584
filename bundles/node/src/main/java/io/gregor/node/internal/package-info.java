/** Reads and checks the configuration, opens the log directories, offers the result as services. Not exported. */
@NullMarked
package io.gregor.node.internal;

import org.jspecify.annotations.NullMarked;
