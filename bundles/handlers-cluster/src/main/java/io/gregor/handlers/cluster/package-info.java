/**
 * The handlers of the APIs that describe a node and its cluster: ApiVersions, Metadata, DescribeCluster,
 * DescribeTopicPartitions, and the SASL APIs on connections that are not in a SASL exchange.
 */
@NullMarked
package io.gregor.handlers.cluster;

import org.jspecify.annotations.NullMarked;
