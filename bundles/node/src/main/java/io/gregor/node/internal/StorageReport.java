package io.gregor.node.internal;

import io.gregor.internal.node.NodeConfig;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.metadata.properties.MetaProperties;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.properties.PropertiesUtils;
import org.jspecify.annotations.Nullable;

/** Prints what is in a node's log directories, as Kafka's storage tool does. Owned by the main thread. */
final class StorageReport {
    private final List<String> problems = new ArrayList<>();
    private final List<String> found = new ArrayList<>();
    private @Nullable MetaProperties first;

    private StorageReport() {}

    /** Returns 0, or 1 if there is a problem. */
    static int print(NodeConfig config, PrintStream out) {
        StorageReport report = new StorageReport();
        LogDirectories.sorted(config).forEach(directory -> report.look(Path.of(directory)));
        report.section(out, report.found, "Found log directory:", "Found log directories:");
        if (report.first != null) {
            out.println("Found metadata: " + sorted(report.first));
            out.println();
        }
        report.section(out, report.problems, "Found problem:", "Found problems:");
        return report.problems.isEmpty() ? 0 : 1;
    }

    private void look(Path directory) {
        if (!Files.isDirectory(directory)) {
            problems.add(directory + (Files.exists(directory) ? " is not a directory" : " does not exist"));
            return;
        }
        found.add(directory.toString());
        Path file = directory.resolve(MetaPropertiesEnsemble.META_PROPERTIES_NAME);
        if (!Files.exists(file)) {
            problems.add(directory + " is not formatted.");
            return;
        }
        try {
            MetaProperties properties =
                    new MetaProperties.Builder(PropertiesUtils.readPropertiesFile(file.toString())).build();
            if (first == null) {
                first = properties;
            } else if (!first.clusterId().equals(properties.clusterId())) {
                problems.add("Mismatched cluster IDs between storage directories.");
            } else if (!first.nodeId().equals(properties.nodeId())) {
                problems.add("Mismatched node IDs between storage directories.");
            }
        } catch (IOException | RuntimeException fault) {
            problems.add("Error loading " + file + ": " + fault.getMessage());
        }
    }

    private static Map<String, String> sorted(MetaProperties properties) {
        Map<String, String> result = new TreeMap<>();
        properties.toProperties().forEach((key, value) -> result.put(String.valueOf(key), String.valueOf(value)));
        return result;
    }

    private void section(PrintStream out, List<String> lines, String one, String several) {
        if (lines.isEmpty()) {
            return;
        }
        out.println(lines.size() == 1 ? one : several);
        lines.forEach(line -> out.println("  " + line));
        out.println();
    }
}
