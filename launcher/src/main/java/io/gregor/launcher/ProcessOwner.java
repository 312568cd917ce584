package io.gregor.launcher;

import java.time.Duration;
import java.util.function.IntConsumer;

/**
 * What a node may do in the process that it runs in. Immutable.
 *
 * @param hasConsole whether the console is the node's, for what it tells the one who starts it
 * @param stopLimit how long a stop may take
 * @param afterExit what comes when the node has asked to end, and has stopped; it is given the status
 */
record ProcessOwner(boolean hasConsole, Duration stopLimit, IntConsumer afterExit) {}
