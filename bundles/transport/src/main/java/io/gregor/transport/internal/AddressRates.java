package io.gregor.transport.internal;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.image.ClientQuotasImage;
import org.apache.kafka.server.config.QuotaConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many connections an address may make in a second: the client quotas of the entity type {@code ip}. Immutable.
 *
 * @param defaultPerSecond for addresses without a quota of their own
 * @param perSecond those with one
 */
public record AddressRates(int defaultPerSecond, Map<InetAddress, Integer> perSecond) {
    /** As many as it likes. */
    static final int UNLIMITED = QuotaConfig.IP_CONNECTION_RATE_DEFAULT;

    /** No quotas. */
    public static final AddressRates NONE = new AddressRates(UNLIMITED, Map.of());

    private static final Logger LOGGER = LoggerFactory.getLogger(AddressRates.class);

    /** The quotas of the metadata. */
    public static AddressRates of(ClientQuotasImage quotas) {
        int ofAll = UNLIMITED;
        Map<InetAddress, Integer> ofOne = new HashMap<>();
        for (var entry : quotas.entities().entrySet()) {
            Map<String, String> entity = entry.getKey().entries();
            Double rate = entry.getValue().quotas().get(QuotaConfig.IP_CONNECTION_RATE_OVERRIDE_CONFIG);
            if (rate != null && entity.containsKey(ClientQuotaEntity.IP)) {
                String ip = entity.get(ClientQuotaEntity.IP);
                if (ip == null) {
                    ofAll = rate.intValue();
                } else {
                    put(ofOne, ip, rate.intValue());
                }
            }
        }
        return new AddressRates(ofAll, Map.copyOf(ofOne));
    }

    int of(InetAddress address) {
        return perSecond.getOrDefault(address, defaultPerSecond);
    }

    private static void put(Map<InetAddress, Integer> rates, String ip, int perSecond) {
        try {
            rates.put(InetAddress.getByName(ip), perSecond);
        } catch (UnknownHostException e) {
            LOGGER.warn(
                    "a quota is for a host that is not known, and has no effect: ip={} reason={}", ip, e.toString());
        }
    }
}
