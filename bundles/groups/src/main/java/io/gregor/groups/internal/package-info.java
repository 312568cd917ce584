/** What Kafka's group coordinator stands on here: its timer and metrics, the way to the logs, the news of the metadata. */
@NullMarked
package io.gregor.groups.internal;

import org.jspecify.annotations.NullMarked;
