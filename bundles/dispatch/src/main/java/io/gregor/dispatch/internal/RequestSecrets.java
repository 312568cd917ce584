package io.gregor.dispatch.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.message.AlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AlterConfigsRequest;
import org.apache.kafka.common.requests.IncrementalAlterConfigsRequest;
import org.apache.kafka.server.config.AbstractKafkaConfig;

/**
 * What the request log does not show: values of secret settings, as in Kafka, and, which Kafka shows, what clients log in with,
 * SCRAM credentials, tokens, and requests in envelopes, which have all of it as bytes. Stateless.
 */
final class RequestSecrets {
    private static final JsonNode HIDDEN = new TextNode(Password.HIDDEN);
    private static final Set<String> TOKEN = Set.of("hmac");

    /** The fields of requests and responses that are secret, by API. */
    private static final Map<ApiKeys, Set<String>> FIELDS = new EnumMap<>(Map.of(
            ApiKeys.SASL_AUTHENTICATE, Set.of("authBytes"),
            ApiKeys.ALTER_USER_SCRAM_CREDENTIALS, Set.of("salt", "saltedPassword"),
            ApiKeys.CREATE_DELEGATION_TOKEN, TOKEN,
            ApiKeys.RENEW_DELEGATION_TOKEN, TOKEN,
            ApiKeys.EXPIRE_DELEGATION_TOKEN, TOKEN,
            ApiKeys.DESCRIBE_DELEGATION_TOKEN, TOKEN,
            ApiKeys.ENVELOPE, Set.of("requestData", "responseData")));

    private RequestSecrets() {}

    /** The request without its secret settings: itself if there is nothing. */
    static AbstractRequest withoutSettings(AbstractRequest request) {
        if (request instanceof AlterConfigsRequest alter) {
            AlterConfigsRequestData data = alter.data().duplicate();
            data.resources().forEach(resource -> resource.configs()
                    .forEach(config -> config.setValue(shown(resource.resourceType(), config.name(), config.value()))));
            return new AlterConfigsRequest(data, alter.version());
        }
        if (request instanceof IncrementalAlterConfigsRequest alter) {
            IncrementalAlterConfigsRequestData data = alter.data().duplicate();
            data.resources().forEach(resource -> resource.configs()
                    .forEach(config -> config.setValue(shown(resource.resourceType(), config.name(), config.value()))));
            return new IncrementalAlterConfigsRequest.Builder(data).build(alter.version());
        }
        return request;
    }

    /** The body of a request or response, with its secret fields replaced. */
    static JsonNode hide(ApiKeys api, JsonNode body) {
        Set<String> fields = FIELDS.get(api);
        if (fields != null) {
            hide(fields, body);
        }
        return body;
    }

    private static void hide(Set<String> fields, JsonNode node) {
        if (node instanceof ObjectNode object) {
            fields.stream().filter(object::has).forEach(field -> object.set(field, HIDDEN));
        }
        node.forEach(inner -> hide(fields, inner));
    }

    private static String shown(byte resourceType, String name, String value) {
        return AbstractKafkaConfig.loggableValue(ConfigResource.Type.forId(resourceType), name, value);
    }
}
