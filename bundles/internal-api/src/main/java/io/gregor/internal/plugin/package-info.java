/**
 * What plugins, dispatch, node and shell tell each other about bundles that come and go: which of them count, how they do,
 * and where their classes are.
 */
@Export
@NullMarked
package io.gregor.internal.plugin;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
