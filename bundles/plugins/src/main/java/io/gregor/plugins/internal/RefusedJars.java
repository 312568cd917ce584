package io.gregor.plugins.internal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Jars that are not used: those that are not whole yet, and those that were refused as files, before anything was installed.
 * They are looked at again when their rights change, which nobody is told of. Owned by the deployer thread.
 */
final class RefusedJars {
    /** A jar that does not grow for so long is not being written any more. */
    private static final long HALF_LIMIT_MS = 10_000;

    private final JarIntake intake;
    private final Map<Path, Refused> refused = new LinkedHashMap<>();
    private final Map<Path, Long> half = new HashMap<>();

    RefusedJars(JarIntake intake) {
        this.intake = intake;
    }

    /** It is not whole yet. */
    void half(Path file, long nowMs) {
        half.put(file, nowMs);
    }

    /** It is refused. */
    void add(Path file, PluginBundle shown) {
        half.remove(file);
        refused.put(file, new Refused(shown, intake.rights(file)));
    }

    /** It has gone, or is used. */
    void remove(Path file) {
        half.remove(file);
        refused.remove(file);
    }

    /** Those that were refused, to be shown. */
    Collection<PluginBundle> shown() {
        return refused.values().stream().map(Refused::shown).toList();
    }

    /** Whether there is none. */
    boolean isEmpty() {
        return refused.isEmpty() && half.isEmpty();
    }

    /** Those whose rights are not those any more with which they were refused. */
    List<Path> changed() {
        List<Path> found = new ArrayList<>();
        refused.forEach((file, one) -> {
            if (!one.rights().equals(intake.rights(file))) {
                found.add(file);
            }
        });
        return found;
    }

    /** Those that have been half for too long; they are forgotten here. */
    List<Path> staleHalves(long nowMs) {
        List<Path> found = new ArrayList<>();
        half.forEach((file, sinceMs) -> {
            if (nowMs - sinceMs >= HALF_LIMIT_MS) {
                found.add(file);
            }
        });
        found.forEach(half::remove);
        return found;
    }

    private record Refused(PluginBundle shown, String rights) {}
}
