/** What can only be reached from inside this package of Kafka's: the plugins of its remote log manager. Nothing else belongs here. */
package org.apache.kafka.server.log.remote.storage;
