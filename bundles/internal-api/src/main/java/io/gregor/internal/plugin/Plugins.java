package io.gregor.internal.plugin;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The bundles of {@code deploy/}, and those on trial. A service of {@code plugins}. Shared: any thread; nothing here waits. */
public interface Plugins {
    /** All of them, also what is broken, by name. */
    List<Plugin> list();

    /** All that is known of the plugin with this symbolic name or file name. */
    Optional<Plugin> find(String name);

    /**
     * Puts a jar on trial. The future ends when it serves its share, or has failed to; what becomes of the trial later is
     * journalled. Never fails.
     */
    CompletableFuture<Outcome> trial(Path jar, Terms terms, String who);

    /** Ends a trial well: the plugin serves all, and its jar goes to {@code deploy/}. Never fails. */
    CompletableFuture<Outcome> keep(String name, String who);

    /**
     * Takes a plugin out, on trial or not; the former behaviour is back when the future ends. Its jar in {@code deploy/} is
     * renamed, so that it does not come back. Never fails.
     */
    CompletableFuture<Outcome> remove(String name, String who);

    /**
     * The terms of a trial. Immutable.
     *
     * @param sharePercent of the connections, 1 to 100
     * @param duration after which it is kept if it has held its limits; zero stands for no end
     * @param errorPercent by so much its share of requests with errors may be above that of the former, 0 to 100
     * @param latencyFactor by so much its mean time to answer may exceed that of the former, 1 or more
     */
    record Terms(int sharePercent, Duration duration, double errorPercent, double latencyFactor) {}

    /**
     * What became of an order. Immutable.
     *
     * @param isDone whether it was carried out
     * @param text one line: what was done, or why not and what to do
     */
    record Outcome(boolean isDone, String text) {}

    /** Where a plugin is. */
    enum State {
        /** Its services are used. */
        LIVE,
        /** Some of its components wait for services that are not there. */
        WAITING,
        /** Its services are used for a share of the connections. */
        TRIAL,
        /** It could not be used; what it would have replaced serves on. */
        BROKEN,
        /** Another file of the same name stands in front of it. */
        BEHIND,
        /** It finishes what it has in hand. */
        LEAVING
    }

    /**
     * A plugin. Immutable.
     *
     * @param name its symbolic name, or its file name if it is no bundle
     * @param version its version; empty if it is no bundle
     * @param state where it is
     * @param file its jar
     * @param sinceMs when it got there, in milliseconds since the epoch
     * @param reason why it is broken or waits, and what to do, on one line; else empty
     * @param services what it offers, a line each: handlers with keys and versions, filters with keys and order, others
     * @param trial on trial: its terms and how it does, a line each; else empty
     * @param accounts how it does, by role
     */
    record Plugin(
            String name,
            String version,
            State state,
            Path file,
            long sinceMs,
            String reason,
            List<String> services,
            List<String> trial,
            List<RoleAccount> accounts) {}

    /** What a plugin did in a role. Immutable. */
    record RoleAccount(String role, ServingBundles.Account account) {}
}
