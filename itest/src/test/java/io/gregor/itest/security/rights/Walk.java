package io.gregor.itest.security.rights;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** A user asks every API of a listener, in every version, about what exists and what does not. Owned by the test thread. */
final class Walk {
    private static final String BOTH = "both";

    private final String user;
    private final String listener;
    private final int port;
    private final Resources existing;
    private final Resources missing;

    private Walk(String user, String listener, int port, Resources existing, Resources missing) {
        this.user = user;
        this.listener = listener;
        this.port = port;
        this.existing = existing;
        this.missing = missing;
    }

    /** What is offered to the user: the first and the last version by the API's number. */
    static Map<Short, short[]> offered(int port, String user) throws IOException {
        try (Asker asker = Asker.of(port, user)) {
            ApiVersionsResponseData answer =
                    (ApiVersionsResponseData) asker.ask(ApiKeys.API_VERSIONS, (short) 2, new ApiVersionsRequestData());
            Map<Short, short[]> offered = new TreeMap<>();
            answer.apiKeys()
                    .forEach(api -> offered.put(api.apiKey(), new short[] {api.minVersion(), api.maxVersion()}));
            return offered;
        }
    }

    /**
     * What all users are answered on listeners, by these names and ports. Who has no rights comes last: Kafka leaves some of
     * the questions without an answer, and members of groups do not live long.
     */
    static List<Row> all(Map<String, Integer> ports, Resources existing, Path questions) throws IOException {
        List<Question> all = Question.all(questions);
        List<Row> rows = new ArrayList<>();
        for (String user : all.stream()
                .flatMap(one -> one.users().stream())
                .distinct()
                .sorted()
                .toList()) {
            for (Map.Entry<String, Integer> listener : new TreeMap<>(ports).entrySet()) {
                Walk walk = new Walk(user, listener.getKey(), listener.getValue(), existing, MadeResources.missing());
                rows.addAll(walk.rows(all));
            }
        }
        return rows;
    }

    private List<Row> rows(List<Question> questions) throws IOException {
        Map<Short, short[]> offered = offered(port, user);
        List<Row> rows = new ArrayList<>();
        for (Question question : questions) {
            short[] versions = offered.get(question.key().id);
            if (versions != null && question.users().contains(user)) {
                short first = (short) Math.max(versions[0], question.from());
                List<String> ofExisting = answers(question, first, versions[1], existing);
                List<String> ofMissing =
                        question.isAboutSomething() ? answers(question, first, versions[1], missing) : ofExisting;
                addRanges(rows, question, first, ofExisting, ofMissing);
            }
        }
        return rows;
    }

    private List<String> answers(Question question, short first, short last, Resources about) throws IOException {
        List<String> answers = new ArrayList<>();
        for (short version = first; version <= last; version++) {
            try (Asker asker = Asker.of(port, user)) {
                ApiMessage body = question.body(version, about);
                answers.add(about.unnamed(asker.told(question.key(), version, body)));
            }
        }
        return answers;
    }

    private void addRanges(
            List<Row> rows, Question question, short first, List<String> ofExisting, List<String> ofMissing) {
        int start = 0;
        for (int i = 1; i <= ofExisting.size(); i++) {
            boolean isSame = i < ofExisting.size()
                    && ofExisting.get(i).equals(ofExisting.get(start))
                    && ofMissing.get(i).equals(ofMissing.get(start));
            if (!isSame) {
                String versions = (first + start) + "-" + (first + i - 1);
                String one = ofExisting.get(start);
                String other = ofMissing.get(start);
                if (one.equals(other)) {
                    rows.add(Row.of(user, listener, question, BOTH, versions, one));
                } else {
                    rows.add(Row.of(user, listener, question, "existing", versions, one));
                    rows.add(Row.of(user, listener, question, "missing", versions, other));
                }
                start = i;
            }
        }
    }
}
