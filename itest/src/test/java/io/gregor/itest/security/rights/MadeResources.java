package io.gregor.itest.security.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.CreateDelegationTokenResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** What questions are about, made by a super user: the requests are lines of {@code resources.tsv}. Owned by the test thread. */
final class MadeResources {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String ADMIN = "admin";

    private final int port;
    private final Map<Short, short[]> offered;

    private MadeResources(int port) throws IOException {
        this.port = port;
        offered = Walk.offered(port, ADMIN);
    }

    /** Makes everything by the broker's listener, as far as it offers the API for it. */
    static Resources make(int port, Path requests) throws IOException {
        MadeResources made = new MadeResources(port);
        Map<String, String> names = new HashMap<>(names("known", Uuid.ZERO_UUID, "1"));
        for (Question request : Question.all(requests)) {
            if (made.offered.containsKey(request.key().id)) {
                ApiMessage answer = made.done(request, new Resources(names));
                if (answer instanceof CreateDelegationTokenResponseData token) {
                    names.put("$hmac", "base64:" + Base64.getEncoder().encodeToString(token.hmac()));
                } else if (answer instanceof CreateTopicsResponseData) {
                    names.put("$id", made.topicId(names.get("$topic")).toString());
                }
            }
        }
        return new Resources(Map.copyOf(names));
    }

    /** Names of what nobody has made. */
    static Resources missing() {
        return new Resources(names("missing", new Uuid(4711, 4711), "4711"));
    }

    private static Map<String, String> names(String what, Uuid topicId, String node) {
        return Map.of(
                "$topic",
                what + "-topic",
                "$id",
                topicId.toString(),
                "$group",
                what + "-group",
                "$members",
                what + "-members",
                "$sharers",
                what + "-sharers",
                "$streams",
                what + "-streams",
                "$transaction",
                what + "-transaction",
                "$user",
                what + "-user",
                "$hmac",
                what + "-hmac",
                Resources.NODE,
                node);
    }

    private ApiMessage done(Question request, Resources names) {
        return await().atMost(LIMIT)
                .until(
                        () -> {
                            short version = version(request.key());
                            try (Asker asker = Asker.of(port, ADMIN)) {
                                return asker.ask(request.key(), version, request.body(version, names));
                            }
                        },
                        answer -> {
                            String text = AnswerText.of(answer);
                            assertThat(text).as(request.toString()).doesNotContain("AUTHORIZATION", "INVALID");
                            return List.of("COORDINATOR_", "NOT_", "CONCURRENT").stream()
                                    .noneMatch(text::contains);
                        });
    }

    private short version(ApiKeys key) {
        return offered.get(key.id)[1];
    }

    private Uuid topicId(String topic) {
        MetadataRequestData question =
                new MetadataRequestData().setTopics(List.of(new MetadataRequestTopic().setName(topic)));
        return await().atMost(LIMIT)
                .until(
                        () -> {
                            try (Asker asker = Asker.of(port, ADMIN)) {
                                MetadataResponseData answer = (MetadataResponseData)
                                        asker.ask(ApiKeys.METADATA, version(ApiKeys.METADATA), question);
                                return answer.topics().find(topic).topicId();
                            }
                        },
                        id -> !id.equals(Uuid.ZERO_UUID));
    }
}
