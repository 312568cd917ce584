package io.gregor.itest.security.rights;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Makes {@code kafka-4.4.0.tsv} anew: asks a Kafka that was started with {@link RightsNode#settings}. Arguments: the ports
 * of its listeners SASL_PLAINTEXT and CONTROLLER.
 */
public final class KafkaTable {
    /** What Kafka answered. */
    static final String NAME = "kafka-4.4.0.tsv";

    private static final String HOW =
            "# What Apache Kafka 4.4.0 (one combined node, StandardAuthorizer, the settings of"
                    + " RightsNode) answers; made by KafkaTable.\n"
                    + "# user\tlistener\tkey\tAPI\tquestion\tabout\tversions\tanswer";

    private KafkaTable() {}

    /** Writes the file where the tests look for it. */
    public static void main(String[] ports) throws IOException {
        Path files = Path.of("src/test/resources/rights");
        int port = Integer.parseInt(ports[0]);
        Resources known = MadeResources.make(port, files.resolve("resources.tsv"));
        List<String> lines = new ArrayList<>(List.of(HOW));
        Walk.all(
                        Map.of("broker", port, "controller", Integer.parseInt(ports[1])),
                        known,
                        files.resolve("questions.tsv"))
                .forEach(row -> lines.add(row.line()));
        Files.write(files.resolve(NAME), lines);
    }
}
