package io.gregor.internal.change;

import io.gregor.internal.node.NodeConfig;
import java.util.Set;

/**
 * What is to change. Immutable.
 *
 * @param before the values that count now, as the part that is asked knows them
 * @param after the values that are to count, already checked as a whole
 * @param keys the keys that belong to the part and differ, or were set again and lead to something that is read again
 * @param isReplay whether the values are stored already (read back at the start, or changed by another node): rules for
 *     changes, as half-to-double, do not count then
 */
public record ConfigChange(NodeConfig before, NodeConfig after, Set<String> keys, boolean isReplay) {}
