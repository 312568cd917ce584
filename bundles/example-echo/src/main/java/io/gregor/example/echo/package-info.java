/** A new API as a plugin: its handler, and a client for it. */
@NullMarked
package io.gregor.example.echo;

import org.jspecify.annotations.NullMarked;
