/** A new API as a plugin: the handler of API key 10000. Its client is in {@code client}, for processes that are no broker. */
@NullMarked
package io.gregor.example.echo;

import org.jspecify.annotations.NullMarked;
