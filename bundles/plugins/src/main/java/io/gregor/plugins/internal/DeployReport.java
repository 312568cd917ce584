package io.gregor.plugins.internal;

import io.gregor.internal.change.Journal;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says what happens to plugins, in the log and in the journal, if there is one. Shared: any thread; see {@code journal}. */
public final class DeployReport {
    private static final Logger LOGGER = LoggerFactory.getLogger(DeployReport.class);

    private final AtomicReference<@Nullable Journal> journal = new AtomicReference<>();

    /** The journal came. */
    public void journal(Journal there) {
        journal.set(there);
    }

    /** The journal left. */
    public void withoutJournal(Journal former) {
        journal.compareAndSet(former, null);
    }

    /** A bundle took another's place, or came where there was none. */
    void serves(PluginBundle next, @Nullable PluginBundle former, long sinceDropMs) {
        LOGGER.info(
                "plugin serves: plugin={} state={} instead={} file={} {} sinceDropMs={}{}",
                next,
                next.state(),
                former == null ? "" : former,
                next.file().getFileName(),
                next.times(),
                sinceDropMs,
                next.reason().isEmpty() ? "" : " reason=" + next.reason());
        if (!isKnown(next)) {
            note(next.orderedBy(), former, next, "applied: " + next.times());
        }
    }

    /** With a start nothing changes that the journal does not have from before. */
    private boolean isKnown(PluginBundle next) {
        Journal there = journal.get();
        return next.isOfStart() && there != null && there.isLast(subject(next.name()), version(next));
    }

    /** A bundle goes, and nothing takes its place. */
    void removed(PluginBundle former) {
        LOGGER.info("plugin goes: plugin={} file={}", former, former.file().getFileName());
        note(former.orderedBy(), former, null, "applied");
    }

    /** A bundle or a jar is not used. */
    void refused(PluginBundle broken, RefusedJar why, @Nullable PluginBundle serving) {
        LOGGER.error(
                "plugin refused: file={} plugin={} reason={}; {}",
                broken.file().getFileName(),
                broken,
                why.reason(),
                why.advice());
        note(broken.orderedBy(), serving, serving, "refused: " + broken + ": " + why.reason());
    }

    /** The directory is not safe. */
    void unsafe(Path directory, RefusedJar why) {
        LOGGER.error("no plugin is taken: directory={} reason={}; {}", directory, why.reason(), why.advice());
    }

    /** Writes a change into the journal. */
    public void note(String who, @Nullable PluginBundle before, @Nullable PluginBundle after, String result) {
        note(who, who.isEmpty() ? "deploy" : "shell", subject(before), subject(after), result);
    }

    /** The same with what was and is in words. */
    void note(String who, String door, Map<String, String> before, Map<String, String> after, String result) {
        Journal there = journal.get();
        if (there != null) {
            there.add(who, door, before, after, result);
        }
    }

    /** What a plugin is called in the journal. */
    static String subject(String name) {
        return "plugin " + name;
    }

    private static Map<String, String> subject(@Nullable PluginBundle plugin) {
        Map<String, String> one = new LinkedHashMap<>();
        if (plugin != null) {
            one.put(subject(plugin.name()), version(plugin));
        }
        return one;
    }

    /** Its version, and whether it belongs to the distribution. */
    static String version(PluginBundle plugin) {
        return plugin.version() + (plugin.isStock() ? " (of the distribution)" : "");
    }
}
