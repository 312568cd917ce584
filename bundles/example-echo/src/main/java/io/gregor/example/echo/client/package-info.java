/** Calls the echo of a broker with nothing but the JDK. Not used by the broker. */
@NullMarked
package io.gregor.example.echo.client;

import org.jspecify.annotations.NullMarked;
