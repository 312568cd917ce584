/** What belongs to the broker role as a whole: forwarding to the controller, automatic topics, producer ids. */
@Export
@NullMarked
package io.gregor.internal.broker;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
