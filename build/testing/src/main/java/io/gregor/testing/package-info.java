/** What unit tests of several bundles pretend. What only one bundle's tests need stays with them. */
@NullMarked
package io.gregor.testing;

import org.jspecify.annotations.NullMarked;
