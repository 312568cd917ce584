/** A filter as a plugin: fields of JSON records are masked before they are stored. */
@NullMarked
package io.gregor.example.masking;

import org.jspecify.annotations.NullMarked;
