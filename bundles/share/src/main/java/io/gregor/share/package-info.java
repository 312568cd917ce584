/** The partitions of share groups that this broker leads (KIP-932). How they work is in {@code internal}. */
@NullMarked
package io.gregor.share;

import org.jspecify.annotations.NullMarked;
