package io.gregor.itest.security.rights;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Answers one by one: of each version, about what exists and what does not. Stateless. */
final class Answers {
    private Answers() {}

    /** One request. */
    record Asked(String user, String listener, int key, String api, String question, String about, int version) {}

    /** The single answers that rows stand for. */
    static Map<Asked, String> of(Collection<Row> rows) {
        Map<Asked, String> answers = new LinkedHashMap<>();
        for (Row row : rows) {
            String[] versions = row.versions().split("-");
            List<String> abouts = row.about().equals("both") ? List.of("existing", "missing") : List.of(row.about());
            for (int version = Integer.parseInt(versions[0]); version <= Integer.parseInt(versions[1]); version++) {
                for (String about : abouts) {
                    answers.put(asked(row, about, version), row.answer());
                }
            }
        }
        return answers;
    }

    private static Asked asked(Row row, String about, int version) {
        return new Asked(row.user(), row.listener(), row.key(), row.api(), row.question(), about, version);
    }
}
