package io.gregor.plugins.internal;

import io.gregor.internal.plugin.Plugins.Outcome;
import io.gregor.internal.plugin.Plugins.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The jars of {@code deploy/}, and what is done with each. Owned by the deployer thread. */
public final class Deployment {
    private static final Logger LOGGER = LoggerFactory.getLogger(Deployment.class);
    private static final long SOON_MS = 20;
    private static final long LATER_MS = 1_000;

    private final Path directory;
    private final DeployerParts parts;
    private final StockBundles stock;
    private final Switching switching;
    private final Map<String, Contenders> byName = new TreeMap<>();
    private final RefusedJars refused;
    private final KeptJars kept;
    private final Removals removals = new Removals();
    private boolean isStarted;
    private long lastDrop;

    Deployment(BundleContext context, Path directory, DeployerParts parts, BooleanSupplier isNodeReady) {
        this.directory = directory;
        this.kept = new KeptJars(directory);
        this.parts = parts;
        this.refused = new RefusedJars(parts.intake());
        this.stock = new StockBundles(context);
        this.switching = new Switching(parts, isNodeReady);
    }

    /** A jar is there, or has another content. */
    void changed(Path file) {
        if (kept.has(file)) {
            return;
        }
        long beganNs = parts.time().nanoseconds();
        try {
            Optional<JarIntake.Taken> taken = parts.intake().take(file);
            if (taken.isEmpty()) {
                refused.half(file, parts.time().milliseconds());
                LOGGER.debug("jar is not whole, it is taken when it is: file={}", file);
                return;
            }
            StepTimes times = new StepTimes(beganNs);
            times.done("check", parts.time().nanoseconds());
            take(file, taken.get(), times);
        } catch (RefusedJar why) {
            refuse(file, why);
        } catch (IOException fault) {
            if (Files.exists(file)) {
                refuse(file, new RefusedJar("it cannot be read: " + fault, "see that this node may read it"));
            }
        }
    }

    private void take(Path file, JarIntake.Taken taken, StepTimes times) throws RefusedJar, IOException {
        String name = taken.manifest().symbolicName();
        Contenders all;
        try {
            all = contenders(name);
        } catch (RefusedJar why) {
            Files.delete(taken.copy());
            throw why;
        }
        refused.remove(file);
        lastDrop = Math.max(lastDrop, taken.changedNs());
        long order = all.of(file).stream().mapToLong(PluginBundle::dropOrder).reduce(taken.changedNs(), Math::max);
        PluginBundle plugin =
                PluginBundle.ofJar(taken.manifest(), file, order, parts.time().milliseconds());
        plugin.times(times);
        if (!isStarted) {
            plugin.ofStart();
        }
        all.add(plugin);
        if (all.wanted().orElse(null) == plugin) {
            install(all, plugin, taken.copy());
        } else {
            Files.delete(taken.copy());
        }
        switching.settle(all);
        leaveOtherNames(file, name);
        retry(taken.manifest().exports());
    }

    /** What was refused for the want of one of these packages may have it now. */
    private void retry(Set<String> exports) {
        for (Contenders all : List.copyOf(byName.values())) {
            for (PluginBundle one : all.inOrder()) {
                if (one.state() == State.BROKEN && exports.contains(one.missingPackage())) {
                    one.become(State.BEHIND, "", parts.time().milliseconds());
                    switching.settle(all);
                }
            }
        }
    }

    private void install(Contenders all, PluginBundle plugin, Path copy) throws IOException {
        try {
            parts.installation().install(plugin, copy);
            plugin.times().done("install", parts.time().nanoseconds());
        } catch (RefusedJar why) {
            switching.broken(all, plugin, why);
        }
    }

    /** What there is of a name. The caller does not keep it, if it has no use for it. */
    Contenders contenders(String name) throws RefusedJar {
        Contenders known = byName.get(name);
        if (known == null) {
            Optional<Bundle> own = stock.find(name);
            known = own.isPresent() ? Contenders.behindWhich(PluginBundle.ofStock(own.get())) : new Contenders(name);
            byName.put(name, known);
        }
        return known;
    }

    /** What a file held under other names than the one that it has now. */
    private void leaveOtherNames(Path file, String name) {
        for (Contenders others : List.copyOf(byName.values())) {
            if (!others.name().equals(name) && !others.of(file).isEmpty()) {
                others.remove(file);
                switching.settle(others);
            }
        }
    }

    private void refuse(Path file, RefusedJar why) {
        byName.values().forEach(all -> all.overwrite(file));
        PluginBundle broken =
                PluginBundle.refused(file, why.line(), parts.time().milliseconds());
        refused.add(file, broken);
        parts.report().refused(broken, why, null);
        byName.values().forEach(switching::settle);
    }

    /**
     * A plugin on trial serves all from now on, in the place of what else has its name, and its jar is there with the next start.
     *
     * @param content of its jar
     * @throws RefusedJar if its jar cannot come here; it is on trial as before then
     */
    void keep(PluginBundle onTrial, Path content) throws RefusedJar, IOException {
        parts.intake().checkDirectory(Files.createDirectories(directory));
        Path file = directory.resolve(onTrial.file().getFileName());
        for (Contenders others : byName.values()) {
            if (!others.name().equals(onTrial.name()) && !others.of(file).isEmpty()) {
                throw new RefusedJar(
                        "its file in deploy/ is that of another plugin: file=" + file.getFileName() + " plugin="
                                + others.name(),
                        "give the jar another name and try it again");
            }
        }
        Contenders all = contenders(onTrial.name());
        kept.put(content, file);
        lastDrop = Math.max(
                lastDrop + 1, TimeUnit.MILLISECONDS.toNanos(parts.time().milliseconds()));
        refused.remove(file);
        switching.keep(all, onTrial.keptAs(file, lastDrop));
    }

    /** What serves under a name, null if nothing does. */
    @Nullable
    PluginBundle serving(String name) {
        Contenders known = byName.get(name);
        return known == null ? null : known.serving();
    }

    /** Whether bundles are started by now. */
    boolean isStarted() {
        return isStarted;
    }

    /** A jar is gone: the former behaviour comes back. */
    void gone(Path file) {
        refused.remove(file);
        leaveOtherNames(file, "");
    }

    /** Dispatch of all roles is there: what is installed is started, and looked at once. */
    void start() {
        isStarted = true;
        switching.start();
        checkDirectory();
        byName.values().forEach(switching::settle);
    }

    /** Whether no jar is there at all. */
    boolean isEmpty() {
        return byName.isEmpty() && refused.isEmpty();
    }

    private void checkDirectory() {
        try {
            if (Files.exists(directory)) {
                parts.intake().checkDirectory(directory);
            }
        } catch (RefusedJar why) {
            parts.report().unsafe(directory, why);
        } catch (IOException fault) {
            LOGGER.warn("directory cannot be looked at: directory={} reason={}", directory, fault.toString());
        }
    }

    /** Looks after all that is under way. Returns after how many milliseconds to look again, unless there is an order before. */
    long look() {
        boolean isSoon = false;
        boolean isLater = !refused.isEmpty();
        lookAgain();
        for (Contenders all : List.copyOf(byName.values())) {
            isSoon |= switching.look(all);
            PluginBundle serving = all.serving();
            isLater |= serving != null && serving.state() == State.WAITING;
        }
        long departuresMs = parts.departures().look();
        byName.values().removeIf(Contenders::isEmpty);
        removals.look();
        return Math.min(departuresMs, isSoon ? SOON_MS : isLater ? LATER_MS : Departures.NEVER);
    }

    private void lookAgain() {
        refused.changed().forEach(this::changed);
        RefusedJar half = new RefusedJar(
                "it is not whole: its directory or one of its entries cannot be read",
                "copy it there again, beside it first and then renamed");
        refused.staleHalves(parts.time().milliseconds()).forEach(file -> refuse(file, half));
    }

    /** Takes out what serves under a name, or what a file of this name holds, and renames its jar. */
    void remove(String name, String who, CompletableFuture<Outcome> outcome) {
        PluginBundle plugin = find(name).orElse(null);
        if (plugin == null) {
            outcome.complete(new Outcome(false, "no plugin: name=" + name + "; plugin:list shows all"));
            return;
        }
        Path file = plugin.file();
        try {
            Files.move(file, file.resolveSibling(file.getFileName() + ".removed"), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException fault) {
            outcome.complete(
                    new Outcome(false, "jar cannot be renamed: " + fault + "; see the rights of its directory"));
            return;
        }
        plugin.orderedBy(who);
        Contenders all = byName.get(plugin.name());
        gone(file);
        removals.add(plugin, all, outcome);
    }

    private Optional<PluginBundle> find(String name) {
        List<PluginBundle> all = shown();
        return all.stream()
                .filter(one -> one.name().equals(name) && one.state() != State.BEHIND && one.state() != State.LEAVING)
                .findFirst()
                .or(() -> all.stream()
                        .filter(one -> name.equals(String.valueOf(one.file().getFileName())))
                        .findFirst());
    }

    /** All plugins that there are, without the bundles of the distribution. */
    List<PluginBundle> shown() {
        List<PluginBundle> all = new ArrayList<>(refused.shown());
        byName.values().forEach(one -> all.addAll(one.inOrder()));
        parts.departures().leaving().stream().filter(one -> !all.contains(one)).forEach(all::add);
        all.removeIf(PluginBundle::isStock);
        return all;
    }

    /** The bundles that are installed, of each name what serves first, then the newest. */
    List<Bundle> installed() {
        return byName.values().stream().flatMap(all -> all.installed().stream()).toList();
    }

    /** The parts, for trials. */
    DeployerParts parts() {
        return parts;
    }
}
