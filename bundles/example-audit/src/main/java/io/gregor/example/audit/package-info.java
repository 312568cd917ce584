/** A filter as a plugin: what principals move is written down. */
@NullMarked
package io.gregor.example.audit;

import org.jspecify.annotations.NullMarked;
