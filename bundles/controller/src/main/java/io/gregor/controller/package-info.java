/**
 * The components of the controller role: Kafka's quorum controller, assembled, and one handler for each API of its listener
 * that it serves. The handlers of the Raft APIs live with Raft.
 */
@NullMarked
package io.gregor.controller;

import org.jspecify.annotations.NullMarked;
