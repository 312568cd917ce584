/** For filters that change records: how a batch is read and written again without loss. What needs no node is here. */
@Export
@Version("1.0.0")
@NullMarked
package io.gregor.api.records;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
