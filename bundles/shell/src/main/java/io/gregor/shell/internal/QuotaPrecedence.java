package io.gregor.shell.internal;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.image.ClientQuotasImage;
import org.jspecify.annotations.Nullable;

/** Names of entities that have quotas, and which of them counts for a client: Kafka's order. Immutable. */
public final class QuotaPrecedence {
    private static final String USER = ClientQuotaEntity.USER;
    private static final String CLIENT_ID = ClientQuotaEntity.CLIENT_ID;
    private static final String DEFAULT = "<default>";

    private final ClientQuotasImage quotas;

    /** Of these quotas. */
    public QuotaPrecedence(ClientQuotasImage quotas) {
        this.quotas = quotas;
    }

    /** The entity by whose value of a key a client is measured; empty if none has the key. */
    public Optional<ClientQuotaEntity> entity(String key, String user, String clientId) {
        return Stream.of(
                        entity(USER, user, CLIENT_ID, clientId),
                        entity(USER, user, CLIENT_ID, null),
                        entity(USER, user),
                        entity(USER, null, CLIENT_ID, clientId),
                        entity(USER, null, CLIENT_ID, null),
                        entity(USER, null),
                        entity(CLIENT_ID, clientId),
                        entity(CLIENT_ID, null))
                .filter(entity -> has(entity, key))
                .findFirst();
    }

    private boolean has(ClientQuotaEntity entity, String key) {
        return quotas.entities().containsKey(entity)
                && quotas.entities().get(entity).quotas().containsKey(key);
    }

    /** As {@code user=alice client-id=<default>}. */
    public static String name(ClientQuotaEntity entity) {
        return Stream.of(USER, CLIENT_ID, ClientQuotaEntity.IP)
                .filter(entity.entries()::containsKey)
                .map(type -> type + "="
                        + Optional.ofNullable(entity.entries().get(type)).orElse(DEFAULT))
                .collect(Collectors.joining(" "));
    }

    /** A value without needless digits. */
    public static String value(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    private static ClientQuotaEntity entity(@Nullable String... typesAndNames) {
        Map<String, String> entries = new HashMap<>();
        for (int i = 0; i < typesAndNames.length; i += 2) {
            entries.put(typesAndNames[i], typesAndNames[i + 1]);
        }
        return new ClientQuotaEntity(entries);
    }
}
