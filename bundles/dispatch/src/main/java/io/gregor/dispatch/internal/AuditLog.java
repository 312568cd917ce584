package io.gregor.dispatch.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit log: one line of JSON for each request that changes something as an administrator does, allowed or not, by the
 * logger {@code gregor.audit} at INFO. It is written before the client gets the answer, by the thread that answers; these
 * requests are few. Names only, never values; what strangers choose is shortened and escaped to ASCII. Stateless.
 */
final class AuditLog {
    private static final Logger LOGGER = LoggerFactory.getLogger("gregor.audit");

    /** Of names, in characters; longer ones end with three dots. */
    static final int NAME_LIMIT = 256;

    /** Of names in one line; how many more there are is told. */
    static final int NAMES_LIMIT = 50;

    private static final char DELETE = 0x7f;

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private static final boolean[] AUDITED = audited(
            ApiKeys.CREATE_TOPICS,
            ApiKeys.DELETE_TOPICS,
            ApiKeys.CREATE_PARTITIONS,
            ApiKeys.DELETE_RECORDS,
            ApiKeys.ALTER_CONFIGS,
            ApiKeys.INCREMENTAL_ALTER_CONFIGS,
            ApiKeys.ALTER_REPLICA_LOG_DIRS,
            ApiKeys.CREATE_ACLS,
            ApiKeys.DELETE_ACLS,
            ApiKeys.ALTER_USER_SCRAM_CREDENTIALS,
            ApiKeys.CREATE_DELEGATION_TOKEN,
            ApiKeys.RENEW_DELEGATION_TOKEN,
            ApiKeys.EXPIRE_DELEGATION_TOKEN,
            ApiKeys.ALTER_CLIENT_QUOTAS,
            ApiKeys.UPDATE_FEATURES,
            ApiKeys.ELECT_LEADERS,
            ApiKeys.ALTER_PARTITION_REASSIGNMENTS,
            ApiKeys.DELETE_GROUPS,
            ApiKeys.OFFSET_DELETE,
            ApiKeys.ALTER_SHARE_GROUP_OFFSETS,
            ApiKeys.DELETE_SHARE_GROUP_OFFSETS,
            ApiKeys.UNREGISTER_BROKER,
            ApiKeys.UNREGISTER_CONTROLLER,
            ApiKeys.ADD_RAFT_VOTER,
            ApiKeys.REMOVE_RAFT_VOTER);

    private AuditLog() {}

    private static boolean[] audited(ApiKeys... keys) {
        boolean[] audited = new boolean[ApiTable.FIRST_NEW_KEY];
        for (ApiKeys key : keys) {
            audited[key.id] = true;
        }
        return audited;
    }

    /** Whether the requests of an API are written. */
    static boolean isAudited(short apiKey) {
        return apiKey < ApiTable.FIRST_NEW_KEY && AUDITED[apiKey];
    }

    /**
     * Writes a request that is about to be answered.
     *
     * @param isForwarded whether it came through a broker, over whose connection and listener it came
     * @param isDecidedElsewhere whether it was sent on: only what is decided here in spite of that is written
     * @param errors how often the answer has which error
     */
    static void write(
            RequestContext who,
            AbstractRequest body,
            boolean isForwarded,
            boolean isDecidedElsewhere,
            Map<Errors, Integer> errors) {
        if (!LOGGER.isInfoEnabled() || errors.containsKey(Errors.NOT_CONTROLLER)) {
            return;
        }
        List<String> resources = isDecidedElsewhere ? AuditedNames.decidedHere(body) : AuditedNames.of(body);
        if (!isDecidedElsewhere || !resources.isEmpty()) {
            LOGGER.info(line(who, isForwarded, resources, errors));
        }
    }

    static String line(RequestContext who, boolean isForwarded, List<String> resources, Map<Errors, Integer> errors) {
        ObjectNode line = JSON.createObjectNode();
        line.put("principal", shown(who.principal.toString()));
        line.put("client", who.clientAddress.getHostAddress());
        line.put("listener", who.listenerName.value());
        line.put("connection", who.connectionId);
        line.put("forwarded", isForwarded);
        line.put("clientId", shown(String.valueOf(who.clientId())));
        line.put("api", who.header.apiKey().name());
        line.put("version", who.apiVersion());
        ArrayNode names = line.putArray("resources");
        resources.stream().limit(NAMES_LIMIT).map(AuditLog::shown).forEach(names::add);
        if (resources.size() > NAMES_LIMIT) {
            names.add("and " + (resources.size() - NAMES_LIMIT) + " more");
        }
        ObjectNode counts = line.putObject("errors");
        errors.forEach((error, count) -> counts.put(error.name(), count));
        try {
            return JSON.writeValueAsString(line);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String shown(String name) {
        String bounded = name.length() <= NAME_LIMIT ? name : name.substring(0, NAME_LIMIT) + "...";
        return bounded.replace(DELETE, '?');
    }
}
