package io.gregor.itest.security.rights;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * A request of one API, as a line of {@code questions.tsv} describes it: the API's name, a name of the question, and
 * fields with values, as {@code topics.name=$topic}. Fields that a version does not have are left out there; what is not
 * named keeps Kafka's default. With {@code from=2} it is asked from that version on only, with {@code also=dora}
 * by that user too. Immutable.
 *
 * @param key the API
 * @param name tells it apart from other questions of the same API
 * @param users who ask it
 * @param from the first version that can ask it
 * @param fields values by path, in which a name stands for the only element of an array too
 */
record Question(ApiKeys key, String name, List<String> users, short from, Map<String, String> fields) {
    /** Who has no rights at all, and asks everything. */
    static final String STRANGER = "mallory";

    /** All that are asked. */
    static List<Question> all(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(Question::of)
                .toList();
    }

    private static Question of(String line) {
        String[] columns = line.split("\t", -1);
        Map<String, String> fields = new LinkedHashMap<>();
        Arrays.stream(columns).skip(2).filter(column -> !column.isEmpty()).forEach(column -> {
            int equals = column.indexOf('=');
            fields.put(column.substring(0, equals), column.substring(equals + 1));
        });
        ApiKeys key = key(columns[0]);
        String from = fields.remove("from");
        List<String> users = new ArrayList<>(List.of(STRANGER));
        Optional.ofNullable(fields.remove("also"))
                .map(also -> List.of(also.split(",")))
                .ifPresent(users::addAll);
        return new Question(
                key, columns[1], users, from == null ? key.oldestVersion() : Short.parseShort(from), fields);
    }

    private static ApiKeys key(String name) {
        return Arrays.stream(ApiKeys.values())
                .filter(key -> key.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("questions.tsv: no API is called " + name));
    }

    /** Whether it matters what exists. */
    boolean isAboutSomething() {
        return fields.values().stream().anyMatch(value -> value.contains("$"));
    }

    /** The request's body in a version, about these resources. */
    ApiMessage body(short version, Resources about) {
        ApiMessage body = key.messageType.newRequest();
        Map<String, String> named = new LinkedHashMap<>();
        fields.forEach((path, value) -> named.put(path, about.named(value)));
        MessageFields.fill(body, key.messageType.requestSchemas()[version], named);
        return body;
    }
}
