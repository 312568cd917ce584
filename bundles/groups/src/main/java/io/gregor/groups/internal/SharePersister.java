package io.gregor.groups.internal;

import io.gregor.internal.metadata.BrokerClients;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.coordinator.group.modern.share.ShareGroupConfig;
import org.apache.kafka.server.share.persister.DefaultStatePersister;
import org.apache.kafka.server.share.persister.NoOpStatePersister;
import org.apache.kafka.server.share.persister.Persister;
import org.apache.kafka.server.share.persister.ShareCoordinatorMetadataCacheHelper;
import org.apache.kafka.server.util.timer.Timer;

/**
 * Kafka's persister of share state with the timer that it uses. Immutable.
 *
 * @param timer of all that concerns share groups; closed after the persister
 */
public record SharePersister(Persister kafka, Timer timer) implements AutoCloseable {
    private static final String CLASS_CONFIG = "group.share.persister.class.name";
    private static final String CLIENT = "Persister";

    /**
     * The one that is configured, with its threads.
     *
     * @throws ConfigException if {@code group.share.persister.class.name} is none of Kafka's two
     */
    public static SharePersister of(
            AbstractConfig config, BrokerClients clients, ShareCoordinatorMetadataCacheHelper coordinators) {
        String name = new ShareGroupConfig(config).shareGroupPersisterClassName();
        Timer timer = Coordinators.timer("share-group");
        if (name.equals(DefaultStatePersister.class.getName())) {
            return new SharePersister(
                    DefaultStatePersister.instance(clients.open(CLIENT), coordinators, Time.SYSTEM, timer), timer);
        }
        if (name.isEmpty() || name.equals(NoOpStatePersister.class.getName())) {
            return new SharePersister(new NoOpStatePersister(), timer);
        }
        Utils.closeQuietly(timer, "timer of the persister");
        throw new ConfigException(CLASS_CONFIG + "=" + name + " must be " + DefaultStatePersister.class.getName()
                + ", or " + NoOpStatePersister.class.getName() + " to keep no state");
    }

    @Override
    public void close() {
        kafka.stop();
        Utils.closeQuietly(timer, "timer of the persister");
    }
}
