package io.gregor.internal.registration;

import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.metadata.ListenerInfo;

/**
 * Advertised addresses as a registration may carry them. Immutable.
 *
 * <p>The active controller does not check them: it stores names that no client can ask for, and a port of 0 makes it resign.
 */
public final class AdvertisedListeners {
    private static final int MAX_PORT = 65_535;

    private AdvertisedListeners() {}

    /**
     * Checks the addresses, with the host's own name instead of a wildcard.
     *
     * @param first the listener that has to be among them and comes first, if there is such a one
     * @throws ConfigException if one of them may not be registered, with the reason
     * @throws UnknownHostException if the host's own name is not known
     */
    public static ListenerInfo of(List<Endpoint> advertised, Optional<String> first) throws UnknownHostException {
        require(!advertised.isEmpty(), "no listener is left to be registered");
        Set<String> names = new HashSet<>();
        for (Endpoint endpoint : advertised) {
            String name = endpoint.listener();
            require(
                    name.equals(name.toUpperCase(Locale.ROOT)),
                    "advertised listener=" + name + " must be in upper case to be registered");
            require(names.add(name), "advertised listener=" + name + " must be there once to be registered");
            require(
                    endpoint.port() > 0 && endpoint.port() <= MAX_PORT,
                    "advertised listener=" + name + " port=" + endpoint.port()
                            + " must be a real port to be registered");
        }
        first.ifPresent(name -> require(
                names.contains(name), "listener=" + name + " must be advertised: other nodes reach this one there"));
        return ListenerInfo.create(first, advertised).withWildcardHostnamesResolved();
    }

    private static void require(boolean isTrue, String otherwise) {
        if (!isTrue) {
            throw new ConfigException(otherwise);
        }
    }
}
