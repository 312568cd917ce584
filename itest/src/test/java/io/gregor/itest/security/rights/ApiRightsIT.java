package io.gregor.itest.security.rights;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.itest.GregorProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every API that is served, on both listeners and in every version, is asked by somebody without rights, and where a second
 * check hides behind the first by somebody with half of them. The answers are those of a real Kafka, which are kept in
 * {@code kafka-4.4.0.tsv}, but for those in {@code differences.tsv}, each with its reason.
 */
class ApiRightsIT {
    private static final Path FILES = Path.of("src/test/resources/rights");
    private static final Path DOC = Path.of("..", "docs", "security.md");
    private static final Path TOLD = Path.of("target", "security.md");

    @TempDir
    static Path home;

    private static GregorProcess node;
    private static List<Row> kafka;
    private static List<Row> here;
    private static final Set<String> SERVED = new TreeSet<>();

    @BeforeAll
    static void askEverything() throws IOException {
        int port = GregorProcess.freePort();
        int controllerPort = GregorProcess.freePort();
        int saslPort = GregorProcess.freePort();
        List<String> settings = new ArrayList<>(RightsNode.settings());
        settings.add("listeners=PLAINTEXT://127.0.0.1:" + port + ",SASL_PLAINTEXT://127.0.0.1:" + saslPort
                + ",CONTROLLER://127.0.0.1:" + controllerPort);
        node = GregorProcess.launch("server.properties", home, port, controllerPort, settings.toArray(String[]::new))
                .awaitReady();
        Map<String, Integer> ports = Map.of("broker", saslPort, "controller", controllerPort);
        for (Map.Entry<String, Integer> listener : ports.entrySet()) {
            Walk.offered(listener.getValue(), Question.STRANGER)
                    .keySet()
                    .forEach(key -> SERVED.add(listener.getKey() + " " + key));
        }
        Resources known = MadeResources.make(saslPort, FILES.resolve("resources.tsv"));
        here = Walk.all(ports, known, FILES.resolve("questions.tsv"));
        kafka = Row.all(FILES.resolve(KafkaTable.NAME));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void asksEveryServedApiThatKafkaHasBeenAsked() {
        assertThat(apis(kafka)).containsAll(SERVED);
        assertThat(apis(here)).isEqualTo(SERVED);
    }

    @Test
    void answersAsKafkaButForTheDifferencesThatHaveAReason() throws IOException {
        Map<Answers.Asked, String> expected = new LinkedHashMap<>(Answers.of(kafka));
        Map<Answers.Asked, String> different = Answers.of(Row.all(FILES.resolve("differences.tsv")));
        different.forEach((asked, answer) -> assertThat(expected.get(asked))
                .as("Kafka's answer, since there is said to be a difference: %s", asked)
                .isNotNull()
                .isNotEqualTo(answer));
        expected.putAll(different);
        expected.keySet().removeIf(asked -> !SERVED.contains(asked.listener() + " " + asked.key()));

        assertThat(Answers.of(here)).containsExactlyInAnyOrderEntriesOf(expected);
    }

    @Test
    void documentationShowsTheAnswers() throws IOException {
        String doc = Files.readString(DOC);
        int start = doc.indexOf(RightsTable.HEAD);
        assertThat(start).as("the table in docs/security.md").isPositive();
        int end = doc.indexOf("\n\n", start);
        String table = RightsTable.of(kafka, here);
        Files.writeString(TOLD, doc.substring(0, start) + table + doc.substring(end + 1));

        assertThat(doc.substring(start, end + 1))
                .as("docs/security.md, to be replaced by itest/target/security.md if the change is wanted")
                .isEqualTo(table);
    }

    private static Set<String> apis(List<Row> rows) {
        return rows.stream()
                .filter(row -> row.user().equals(Question.STRANGER))
                .map(row -> row.listener() + " " + row.key())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
