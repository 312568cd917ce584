package io.gregor.internal.plugin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The folder in which the jars of plugins are. Immutable.
 *
 * @param folder {@code <home>/deploy}
 */
public record DeployFolder(Path folder) {
    /** The one of a node. */
    public static DeployFolder of(Path home) {
        return new DeployFolder(home.resolve("deploy"));
    }

    /** For messages, what is in it: {@code /srv/gregor/deploy has a.jar, b.jar}. Reads the disk. */
    public String content() {
        List<String> jars = jars();
        return folder + (jars.isEmpty() ? " has no jar" : " has " + String.join(", ", jars));
    }

    private List<String> jars() {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".jar"))
                    .sorted()
                    .collect(Collectors.toList());
        } catch (IOException none) {
            return List.of();
        }
    }
}
