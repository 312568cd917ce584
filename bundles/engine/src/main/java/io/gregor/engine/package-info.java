/** Makes Apache Kafka's libraries usable as a bundle; holds nothing else. */
@NullMarked
package io.gregor.engine;

import org.jspecify.annotations.NullMarked;
