package io.gregor.handlers.admin.internal;

import io.gregor.internal.change.LiveConfig;
import io.gregor.internal.node.LogLevels;
import io.gregor.internal.node.NodeConfig;
import java.util.function.Predicate;

/**
 * Where the description of this node comes from. Immutable.
 *
 * @param start what it was started with
 * @param live what it runs with, and what is stored
 * @param levels its loggers
 * @param isLive whether a change of a key takes effect while it runs
 */
public record DescribedNode(NodeConfig start, LiveConfig live, LogLevels levels, Predicate<String> isLive) {}
