/** What dispatch offers to our handlers and to the shell: authorization, served APIs, the queue and the handlers. */
@Export
@NullMarked
package io.gregor.internal.dispatch;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
