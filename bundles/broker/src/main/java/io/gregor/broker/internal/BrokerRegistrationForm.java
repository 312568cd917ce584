package io.gregor.broker.internal;

import io.gregor.internal.registration.RegistrationChannel;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.BrokerRegistrationRequest;
import org.apache.kafka.metadata.ListenerInfo;

/**
 * Knows the registrations of a broker. Kafka's lifecycle names all log directories of the start in each of them: one that
 * has failed would come back to life in the metadata, so only those that are online stay. Immutable.
 *
 * @param onlineDirectories the ids of the log directories that are online
 */
public record BrokerRegistrationForm(Supplier<? extends Collection<Uuid>> onlineDirectories)
        implements RegistrationChannel.Form {
    @Override
    public Optional<AbstractRequest.Builder<?>> renewed(AbstractRequest.Builder<?> request, ListenerInfo listeners) {
        if (!(request instanceof BrokerRegistrationRequest.Builder registration)) {
            return Optional.empty();
        }
        Set<Uuid> online = Set.copyOf(onlineDirectories.get());
        BrokerRegistrationRequestData now = registration.build().data().duplicate();
        now.setListeners(listeners.toBrokerRegistrationRequest());
        now.setLogDirs(now.logDirs().stream().filter(online::contains).toList());
        return Optional.of(new BrokerRegistrationRequest.Builder(now));
    }
}
