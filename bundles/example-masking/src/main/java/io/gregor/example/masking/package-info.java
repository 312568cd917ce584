/** Masks fields of JSON values on their way in. Whatever is stored, and whoever reads it, has the masked ones only. */
@NullMarked
package io.gregor.example.masking;

import org.jspecify.annotations.NullMarked;
