/** One stateless handler per API key of consumer groups, classic and KIP-848. State belongs to the group coordinator. */
@NullMarked
package io.gregor.handlers.groups;

import org.jspecify.annotations.NullMarked;
