/** What the components of the metadata bundle are made of: Kafka's Raft client, loader and snapshot generator, wired. */
@NullMarked
package io.gregor.metadata.internal;

import org.jspecify.annotations.NullMarked;
