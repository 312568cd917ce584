/**
 * What unit tests of several bundles pretend, those of plugins among them, and the contracts of the {@code api}'s interfaces.
 * What only one bundle's tests need stays with them.
 */
@NullMarked
package io.gregor.testing;

import org.jspecify.annotations.NullMarked;
