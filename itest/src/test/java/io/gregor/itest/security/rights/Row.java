package io.gregor.itest.security.rights;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * What an API answers to a question in some of its versions. Immutable.
 *
 * @param user who asks
 * @param listener {@code broker} or {@code controller}
 * @param key the API's number
 * @param api its name
 * @param question the question's name
 * @param about {@code existing}, {@code missing}, or {@code both} if the answer does not tell them apart
 * @param versions the first and the last
 * @param answer as {@link AnswerText} writes it
 */
record Row(
        String user,
        String listener,
        int key,
        String api,
        String question,
        String about,
        String versions,
        String answer) {
    static Row of(String user, String listener, Question question, String about, String versions, String answer) {
        ApiKeys key = question.key();
        return new Row(user, listener, key.id, key.name, question.name(), about, versions, answer);
    }

    /** The rows of a file that {@link #line} wrote. */
    static List<Row> all(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.split("\t", -1))
                .map(cell -> new Row(
                        cell[0], cell[1], Integer.parseInt(cell[2]), cell[3], cell[4], cell[5], cell[6], cell[7]))
                .toList();
    }

    String line() {
        return String.join("\t", user, listener, Integer.toString(key), api, question, about, versions, answer);
    }
}
