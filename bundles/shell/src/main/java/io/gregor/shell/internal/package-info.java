/** How the socket is served and how tables are drawn. No command of its own. */
@NullMarked
package io.gregor.shell.internal;

import org.jspecify.annotations.NullMarked;
