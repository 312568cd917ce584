/** Remote storage (KIP-405), seen by clients, with a plugin over a directory. */
package io.gregor.itest.tiered;
