package io.gregor.plugins.internal;

import io.gregor.internal.plugin.Plugins.State;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;

/**
 * All bundles of one symbolic name: jars, the last dropped first, then the one of the distribution if it has one of this name.
 * One of them serves; another may be a candidate for that. Owned by the deployer thread.
 */
final class Contenders {
    /** The last dropped first; of files dropped at once the last by name; of one file its content now. */
    private static final Comparator<PluginBundle> FRONT_FIRST = Comparator.comparing(PluginBundle::isStock)
            .thenComparing(Comparator.comparingLong(PluginBundle::dropOrder).reversed())
            .thenComparing(PluginBundle::file, Comparator.reverseOrder())
            .thenComparing(PluginBundle::isOverwritten);

    private final String name;
    private final List<PluginBundle> inOrder = new ArrayList<>();
    private @Nullable PluginBundle serving;
    private @Nullable PluginBundle candidate;

    Contenders(String name) {
        this.name = name;
    }

    /** The bundle of the distribution; it serves until something else does. */
    static Contenders behindWhich(PluginBundle stock) {
        Contenders made = new Contenders(stock.name());
        made.inOrder.add(stock);
        made.serving = stock;
        return made;
    }

    String name() {
        return name;
    }

    /** A jar was dropped, or its content changed: what it was before stays only if it serves, until the new one does. */
    void add(PluginBundle dropped) {
        overwrite(dropped.file());
        inOrder.add(dropped);
        inOrder.sort(FRONT_FIRST);
    }

    /** A file has another content by now: forgets what it held, but for what serves. */
    void overwrite(Path file) {
        for (PluginBundle former : of(file)) {
            if (former == serving) {
                former.overwritten();
            } else {
                inOrder.remove(former);
            }
        }
    }

    /** A file is gone: whatever it held is not wanted any more. */
    void remove(Path file) {
        for (PluginBundle former : of(file)) {
            former.fileGone();
            inOrder.remove(former);
        }
    }

    /** Who should serve: the first that is not known to be broken. */
    Optional<PluginBundle> wanted() {
        return inOrder.stream().filter(one -> one.state() != State.BROKEN).findFirst();
    }

    /** All of them, the front one first. */
    List<PluginBundle> inOrder() {
        return List.copyOf(inOrder);
    }

    /** Those from jars that are installed; the one that serves first. */
    List<Bundle> installed() {
        return inOrder.stream()
                .sorted(Comparator.comparing(one -> one != serving))
                .filter(one -> !one.isStock())
                .map(PluginBundle::bundle)
                .filter(Objects::nonNull)
                .toList();
    }

    /** What one file has held, and holds. */
    List<PluginBundle> of(Path file) {
        return inOrder.stream()
                .filter(one -> !one.isStock() && one.file().equals(file))
                .toList();
    }

    @Nullable
    PluginBundle serving() {
        return serving;
    }

    /** Another one serves, or none. What its file held before is forgotten. */
    void serve(@Nullable PluginBundle next) {
        serving = next;
        if (next != null) {
            inOrder.removeIf(one -> one != next && !one.isStock() && one.file().equals(next.file()));
        }
    }

    @Nullable
    PluginBundle candidate() {
        return candidate;
    }

    void candidate(@Nullable PluginBundle next) {
        candidate = next;
    }

    boolean isEmpty() {
        return inOrder.isEmpty() && serving == null && candidate == null;
    }
}
