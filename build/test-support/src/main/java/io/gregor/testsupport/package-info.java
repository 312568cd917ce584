/**
 * What authors of plugins test with: a real node in the JVM of the test, and a client for new API keys.
 * Pretended requests, and the contracts of the {@code api}'s interfaces, are in {@code io.gregor.testing}. Nothing here is for production.
 */
@NullMarked
package io.gregor.testsupport;

import org.jspecify.annotations.NullMarked;
