/** The components that watch {@code deploy/}, and what other bundles ask of plugins. */
@NullMarked
package io.gregor.plugins;

import org.jspecify.annotations.NullMarked;
