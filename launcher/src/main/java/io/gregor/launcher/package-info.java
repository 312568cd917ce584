/**
 * The process around the bundles: arguments, the lock on the home directory, the framework, signals and exit status; and
 * the client of the shell. Nothing of Kafka's belongs here.
 */
@NullMarked
package io.gregor.launcher;

import org.jspecify.annotations.NullMarked;
