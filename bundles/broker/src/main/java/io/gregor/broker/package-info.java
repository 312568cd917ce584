/**
 * The broker role as a whole: its registration with the controller and the moment when its doors open and close. What these
 * components are made of is in {@code internal}.
 */
@NullMarked
package io.gregor.broker;

import org.jspecify.annotations.NullMarked;
