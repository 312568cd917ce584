/** How the answers about a node and its cluster are built, and kept while the metadata image stays the same. */
@NullMarked
package io.gregor.handlers.cluster.internal;

import org.jspecify.annotations.NullMarked;
