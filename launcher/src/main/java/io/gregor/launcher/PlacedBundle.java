package io.gregor.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A jar in {@code bundles/<start level>/}. Immutable. */
record PlacedBundle(Path jar, int startLevel) {

    /**
     * All bundles of a distribution, by start level, then by name.
     *
     * @throws RefusedStart if the directory cannot be read, has no jar in it, or has a folder that is no start level
     */
    static List<PlacedBundle> in(Path directory) {
        List<PlacedBundle> found = new ArrayList<>();
        try (Stream<Path> folders = Files.list(directory)) {
            for (Path folder : folders.sorted().toList()) {
                int startLevel = startLevel(folder);
                try (Stream<Path> jars = Files.list(folder)) {
                    jars.filter(jar -> jar.getFileName().toString().endsWith(".jar"))
                            .sorted()
                            .forEach(jar -> found.add(new PlacedBundle(jar, startLevel)));
                }
            }
        } catch (IOException fault) {
            throw new RefusedStart("the distribution is damaged: bundles cannot be read: " + fault, fault);
        }
        if (found.isEmpty()) {
            throw new RefusedStart("the distribution is damaged: no bundles in " + directory);
        }
        return found;
    }

    private static int startLevel(Path folder) {
        String name = folder.getFileName().toString();
        if (!name.matches("\\d{2}") || name.equals("00")) {
            throw new RefusedStart("the distribution is damaged: " + folder + " must be named 01 to 99, a start level");
        }
        return Integer.parseInt(name);
    }
}
