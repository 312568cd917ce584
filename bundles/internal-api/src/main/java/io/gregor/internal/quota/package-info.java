/** What the parts of a node that serve clients, and those that copy replicas, are held to: the quotas of the metadata. */
@Export
@NullMarked
package io.gregor.internal.quota;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
