/**
 * The local console: a Unix socket that runs Gogo commands, and the commands that show a running node. They only read what
 * other bundles show of themselves; each returns text, so that it can be piped.
 */
@NullMarked
package io.gregor.shell;

import org.jspecify.annotations.NullMarked;
