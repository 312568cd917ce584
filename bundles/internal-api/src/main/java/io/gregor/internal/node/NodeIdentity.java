package io.gregor.internal.node;

import java.util.Map;
import org.apache.kafka.common.Uuid;

/**
 * Who the node is according to its log directories, verified. Immutable. A service once they are formatted and checked.
 *
 * @param nodeId {@code node.id}
 * @param clusterId the cluster's id
 * @param metadataDirectoryId the id of the directory of the metadata log
 * @param directoryIds the id of each log directory, by its absolute path
 */
public record NodeIdentity(int nodeId, String clusterId, Uuid metadataDirectoryId, Map<String, Uuid> directoryIds) {}
