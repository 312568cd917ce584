/**
 * The node's components and its format command: what starts first and tells the others who the node is. How it is done
 * stands in {@code internal}.
 */
@NullMarked
package io.gregor.node;

import org.jspecify.annotations.NullMarked;
