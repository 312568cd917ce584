/** Starts Kafka's group coordinator on the replicas of this broker. What it is given to work with is in {@code internal}. */
@NullMarked
package io.gregor.groups;

import org.jspecify.annotations.NullMarked;
