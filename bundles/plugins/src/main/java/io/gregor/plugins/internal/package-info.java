/** How bundles are looked at, started, switched and taken out; the components around it are in the package above. */
@NullMarked
package io.gregor.plugins.internal;

import org.jspecify.annotations.NullMarked;
