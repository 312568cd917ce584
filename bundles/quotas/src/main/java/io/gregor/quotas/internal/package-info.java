/** The managers of quotas and the news of the metadata for them. */
@NullMarked
package io.gregor.quotas.internal;

import org.jspecify.annotations.NullMarked;
