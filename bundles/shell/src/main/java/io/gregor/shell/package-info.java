/**
 * The local console: a Unix socket that runs Gogo commands, and the commands that show and change a running node. They
 * read what other bundles show of themselves and ask {@code LiveConfig} for changes; each returns text, so that it can be
 * piped.
 */
@NullMarked
package io.gregor.shell;

import org.jspecify.annotations.NullMarked;
