/**
 * The components of the metadata bundle: Raft, the stream of metadata changes, the way to the controller, and the handlers
 * of the Raft APIs, which live here so that they answer until the node has left the quorum.
 */
@NullMarked
package io.gregor.metadata;

import org.jspecify.annotations.NullMarked;
