package io.gregor.shell.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.image.ClientQuotaImage;
import org.apache.kafka.image.ClientQuotasImage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QuotaPrecedenceTest {
    private static final String KEY = "producer_byte_rate";

    @Test
    void theMostExactEntityThatHasTheKeyCounts() {
        List<ClientQuotaEntity> exactFirst = List.of(
                entity("user", "u", "client-id", "c"),
                entity("user", "u", "client-id", null),
                entity("user", "u"),
                entity("user", null, "client-id", "c"),
                entity("user", null, "client-id", null),
                entity("user", null),
                entity("client-id", "c"),
                entity("client-id", null));
        for (int i = 0; i < exactFirst.size(); i++) {
            Map<ClientQuotaEntity, ClientQuotaImage> quotas = new LinkedHashMap<>();
            exactFirst.subList(0, i).forEach(entity -> quotas.put(entity, value("consumer_byte_rate")));
            exactFirst.subList(i, exactFirst.size()).forEach(entity -> quotas.put(entity, value(KEY)));
            QuotaPrecedence precedence = new QuotaPrecedence(new ClientQuotasImage(quotas));

            assertThat(precedence.entity(KEY, "u", "c")).contains(exactFirst.get(i));
            assertThat(precedence.entity("request_percentage", "u", "c")).isEmpty();
        }
    }

    @Test
    void namesAndValuesAreShort() {
        assertThat(QuotaPrecedence.name(entity("client-id", null, "user", "u")))
                .isEqualTo("user=u client-id=<default>");
        assertThat(QuotaPrecedence.value(1e9)).isEqualTo("1000000000");
        assertThat(QuotaPrecedence.value(0.25)).isEqualTo("0.25");
    }

    private static ClientQuotaImage value(String key) {
        return new ClientQuotaImage(Map.of(key, 1.0));
    }

    private static ClientQuotaEntity entity(@Nullable String... typesAndNames) {
        Map<String, String> entries = new HashMap<>();
        for (int i = 0; i < typesAndNames.length; i += 2) {
            entries.put(typesAndNames[i], typesAndNames[i + 1]);
        }
        return new ClientQuotaEntity(entries);
    }
}
