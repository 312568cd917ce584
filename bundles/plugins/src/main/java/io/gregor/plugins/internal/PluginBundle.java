package io.gregor.plugins.internal;

import io.gregor.internal.plugin.Plugins.State;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;

/**
 * One content of a jar as a plugin, or a bundle of the distribution that one may stand in front of. Owned by the deployer
 * thread.
 */
public final class PluginBundle {
    private final String name;
    private final String version;
    private final Path file;
    private final boolean isStock;
    private final long dropOrder;
    private State state;
    private String reason = "";
    private long sinceMs;
    private @Nullable Bundle bundle;
    private boolean isFileGone;
    private boolean isOverwritten;
    private List<String> trial = List.of();
    private StepTimes times = new StepTimes(0);
    private long deadlineNs;
    private String orderedBy = "";
    private String missingPackage = "";
    private boolean hasServed;
    private boolean isOfStart;

    private PluginBundle(String name, String version, Path file, boolean isStock, long dropOrder, State state) {
        this.name = name;
        this.version = version;
        this.file = file;
        this.isStock = isStock;
        this.dropOrder = dropOrder;
        this.state = state;
    }

    /** A jar, not installed yet. */
    static PluginBundle ofJar(BundleManifest manifest, Path file, long dropOrder, long nowMs) {
        PluginBundle made = new PluginBundle(
                manifest.symbolicName(), manifest.version().toString(), file, false, dropOrder, State.BEHIND);
        made.sinceMs = nowMs;
        return made;
    }

    /** A jar that was refused before its name was known, or whatever its name. */
    static PluginBundle refused(Path file, String reason, long nowMs) {
        PluginBundle made = new PluginBundle(String.valueOf(file.getFileName()), "", file, false, nowMs, State.BROKEN);
        made.become(State.BROKEN, reason, nowMs);
        return made;
    }

    /** A bundle of the distribution; it serves. */
    static PluginBundle ofStock(Bundle bundle) {
        PluginBundle made = new PluginBundle(
                bundle.getSymbolicName(),
                bundle.getVersion().toString(),
                Path.of(String.valueOf(bundle.getLocation())),
                true,
                Long.MIN_VALUE,
                State.LIVE);
        made.bundle = bundle;
        made.hasServed = true;
        return made;
    }

    /** The same bundle as one that is installed from another file: it was on trial, and its jar has come to that place. */
    PluginBundle keptAs(Path place, long order) {
        PluginBundle made = new PluginBundle(name, version, place, false, order, state);
        made.sinceMs = sinceMs;
        made.orderedBy = orderedBy;
        made.bundle = bundle;
        return made;
    }

    /** Its symbolic name. */
    public String name() {
        return name;
    }

    public String version() {
        return version;
    }

    /** The jar that it was or will be installed from. */
    public Path file() {
        return file;
    }

    /** Whether it was there already when the node started. */
    boolean isOfStart() {
        return isOfStart;
    }

    /** Says that it was there already when the node started. */
    void ofStart() {
        isOfStart = true;
    }

    /** Whether it belongs to the distribution. */
    boolean isStock() {
        return isStock;
    }

    /** When its jar was dropped, compared with others; the greater, the later. */
    long dropOrder() {
        return dropOrder;
    }

    public State state() {
        return state;
    }

    public String reason() {
        return reason;
    }

    /** Broken for the want of this package; else empty. */
    String missingPackage() {
        return missingPackage;
    }

    /** It cannot be used. */
    void broken(RefusedJar why, long nowMs) {
        become(State.BROKEN, why.line(), nowMs);
        missingPackage = why.missingPackage();
    }

    long sinceMs() {
        return sinceMs;
    }

    /** Goes to another state, for a reason or without one (empty). */
    public void become(State next, String why, long nowMs) {
        if (next != state || sinceMs == 0) {
            sinceMs = nowMs;
        }
        state = next;
        reason = why;
    }

    /** The framework's bundle while it is installed. */
    public @Nullable Bundle bundle() {
        return bundle;
    }

    void installed(@Nullable Bundle made) {
        bundle = made;
    }

    /** Its jar has been taken away: it goes for good. */
    boolean isFileGone() {
        return isFileGone;
    }

    void fileGone() {
        isFileGone = true;
    }

    /** Its jar has another content by now; it stays until that can take its place. */
    boolean isOverwritten() {
        return isOverwritten;
    }

    void overwritten() {
        isOverwritten = true;
    }

    /** Whether it has served before: it comes back. */
    boolean hasServed() {
        return hasServed;
    }

    void served() {
        hasServed = true;
    }

    /** How long the steps took on its way to serving. */
    StepTimes times() {
        return times;
    }

    void times(StepTimes begun) {
        times = begun;
    }

    /** Milliseconds since its jar was dropped; 0 if it comes back. */
    long sinceDropMs(long nowMs) {
        return hasServed ? 0 : nowMs - TimeUnit.NANOSECONDS.toMillis(dropOrder);
    }

    /** When it must be ready as a candidate; 0 as long as that is not measured. */
    long deadlineNs() {
        return deadlineNs;
    }

    void deadlineNs(long until) {
        deadlineNs = until;
    }

    /** Who ordered what happens to it; empty: whoever may write to the directory. */
    public String orderedBy() {
        return orderedBy;
    }

    public void orderedBy(String who) {
        orderedBy = who;
    }

    /** On trial: its terms and how it does, a line each. */
    public List<String> trial() {
        return trial;
    }

    public void trial(List<String> lines) {
        trial = List.copyOf(lines);
    }

    /** The framework's number of the bundle; -1 while it is not installed. */
    public long bundleId() {
        Bundle installed = bundle;
        return installed == null ? -1 : installed.getBundleId();
    }

    /** Name and version, for log lines. */
    @Override
    public String toString() {
        return name + " " + version;
    }
}
