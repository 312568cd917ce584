/** Share partitions and what they are made of. */
@NullMarked
package io.gregor.share.internal;

import org.jspecify.annotations.NullMarked;
