/** How the handlers of administration look at requests and put their answers together. Nothing here outlives a request. */
@NullMarked
package io.gregor.handlers.admin.internal;

import org.jspecify.annotations.NullMarked;
