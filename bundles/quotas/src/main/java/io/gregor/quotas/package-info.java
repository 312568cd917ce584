/** The quotas of this node: Kafka's quota managers, kept true to the metadata. What they are given is in {@code internal}. */
@NullMarked
package io.gregor.quotas;

import org.jspecify.annotations.NullMarked;
