/** What the controller's components are made of: settings, validation, publishers, the shared parts of the handlers. */
@NullMarked
package io.gregor.controller.internal;

import org.jspecify.annotations.NullMarked;
