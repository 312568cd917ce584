package io.gregor.node.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gregor.internal.change.LiveConfig.JournalEntry;
import io.gregor.internal.change.LiveConfig.Scope;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * A change as a line of the journal. Immutable.
 *
 * @param takesBack the number of the change that this one takes back, -1 for none
 */
record JournalLine(JournalEntry entry, long takesBack) {
    static final String APPLIED = "applied";

    private static final String OF_SETTINGS = "ofSettings";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    boolean isApplied() {
        return entry.result().startsWith(APPLIED);
    }

    /** With another result. */
    JournalLine with(String result) {
        return new JournalLine(with(entry, result), takesBack);
    }

    private static JournalEntry with(JournalEntry entry, String result) {
        return new JournalEntry(
                entry.number(),
                entry.timeMs(),
                entry.who(),
                entry.door(),
                entry.scope(),
                entry.before(),
                entry.after(),
                result,
                entry.isOfSettings());
    }

    /** For those who look at it: what it takes back, and what took it back, stands in the result. */
    JournalEntry shown(long takenBackBy) {
        String result = entry.result()
                + (takesBack < 0 ? "" : "; takes back " + takesBack)
                + (takenBackBy < 0 ? "" : "; taken back by " + takenBackBy);
        return with(entry, result);
    }

    String json() {
        ObjectNode line = MAPPER.createObjectNode();
        line.put("number", entry.number());
        line.put("time", Instant.ofEpochMilli(entry.timeMs()).toString());
        line.put("who", entry.who());
        line.put("door", entry.door());
        line.put("scope", entry.scope().name());
        entry.before().forEach(line.putObject("before")::put);
        entry.after().forEach(line.putObject("after")::put);
        line.put("result", entry.result());
        if (!entry.isOfSettings()) {
            line.put(OF_SETTINGS, false);
        }
        if (takesBack >= 0) {
            line.put("takesBack", takesBack);
        }
        return line.toString();
    }

    /** Reads {@link #json}; an IllegalArgumentException says what is wrong with it. */
    static JournalLine parse(String json) throws JsonProcessingException {
        JsonNode line = MAPPER.readTree(json);
        if (!line.isObject() || !line.path("number").isIntegralNumber()) {
            throw new IllegalArgumentException("no change: " + json);
        }
        try {
            JournalEntry entry = new JournalEntry(
                    line.path("number").longValue(),
                    Instant.parse(line.path("time").asText()).toEpochMilli(),
                    line.path("who").asText(),
                    line.path("door").asText(),
                    Scope.valueOf(line.path("scope").asText()),
                    values(line.path("before")),
                    values(line.path("after")),
                    line.path("result").asText(),
                    line.path(OF_SETTINGS).asBoolean(true));
            return new JournalLine(entry, line.path("takesBack").asLong(-1));
        } catch (DateTimeException noTime) {
            throw new IllegalArgumentException("no time: " + json, noTime);
        }
    }

    private static Map<String, String> values(JsonNode object) {
        Map<String, String> values = new TreeMap<>();
        object.properties()
                .forEach(entry -> values.put(entry.getKey(), entry.getValue().asText()));
        return values;
    }
}
