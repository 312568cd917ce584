package io.gregor.shell.internal;

import io.gregor.internal.dispatch.FilterRow;
import io.gregor.internal.plugin.Plugins.Plugin;
import io.gregor.internal.plugin.Plugins.RoleAccount;
import io.gregor.internal.plugin.ServingBundles.Account;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Draws plugins. Immutable.
 *
 * @param plugins all of them
 * @param filters the filters of all bundles, by role
 */
public record PluginText(List<Plugin> plugins, Map<String, List<FilterRow>> filters) {
    private static final DateTimeFormatter WHEN =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());
    private static final String NONE = "-";
    private static final double NS_PER_MS = 1e6;
    private static final double KIB = 1024;

    /** Those that fit the filters, one a line. */
    public String list(List<String> filters) {
        Table table = new Table(
                "NAME",
                "VERSION",
                "STATE",
                "REQUESTS",
                "ERRORS",
                "FILTERED",
                "FAULTS",
                "BUSY",
                "ALLOCATED",
                "SINCE",
                "FILE",
                "REASON");
        plugins.stream()
                .sorted(Comparator.comparing(Plugin::name).thenComparing(Plugin::state))
                .forEach(plugin -> table.add(
                        plugin.name(),
                        orNone(plugin.version()),
                        state(plugin),
                        sum(plugin, Account::requests),
                        sum(plugin, account -> Math.max(account.errors(), account.failures())),
                        sum(plugin, Account::filterCalls),
                        sum(plugin, Account::filterFaults),
                        busy(sum(plugin, account -> account.busyNs() + account.filterNs())),
                        allocated(sum(plugin, account -> Math.max(0, account.allocatedBytes()))),
                        when(plugin),
                        plugin.file().getFileName(),
                        orNone(plugin.reason())));
        return table.matching(filters).draw();
    }

    /**
     * All that is known of the plugin with this symbolic name or file name; of several that have it, each.
     *
     * @throws IllegalArgumentException if there is none
     */
    public String details(String name) {
        List<Plugin> found = plugins.stream()
                .filter(plugin -> plugin.name().equals(name)
                        || plugin.file().getFileName().toString().equals(name))
                .sorted(Comparator.comparing(Plugin::state))
                .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("no plugin=" + name + ", plugin:list shows them");
        }
        return found.stream().map(this::details).collect(Collectors.joining("\n\n"));
    }

    private String details(Plugin plugin) {
        StringBuilder out = new StringBuilder();
        line(out, "name", plugin.name());
        line(out, "version", orNone(plugin.version()));
        line(out, "state", state(plugin));
        line(out, "since", when(plugin));
        line(out, "file", plugin.file());
        if (!plugin.reason().isEmpty()) {
            line(out, "reason", plugin.reason());
        }
        lines(out, "services", plugin.services());
        lines(out, "filters", filtersOf(plugin));
        lines(out, "trial", plugin.trial());
        if (!plugin.accounts().isEmpty()) {
            out.append(System.lineSeparator()).append(accounts(plugin));
        }
        return out.toString().stripTrailing();
    }

    private List<String> filtersOf(Plugin plugin) {
        List<String> lines = new ArrayList<>();
        filters.forEach((role, rows) -> rows.stream()
                .filter(row -> row.bundle().equals(plugin.name() + " " + plugin.version()))
                .map(row -> role + " " + row.name() + " state="
                        + row.state().name().toLowerCase(Locale.ROOT) + " calls=" + row.calls() + " faults="
                        + row.faults() + (row.reason().isEmpty() ? "" : " reason=" + row.reason()))
                .forEach(lines::add));
        return lines;
    }

    private static String accounts(Plugin plugin) {
        Table table = new Table(
                "ROLE",
                "REQUESTS",
                "FAILURES",
                "ERRORS",
                "BUSY-MEAN",
                "ANSWER-MEAN",
                "FILTERED",
                "FAULTS",
                "FILTER-MEAN",
                "BUSY",
                "ALLOCATED");
        for (RoleAccount row : plugin.accounts()) {
            Account account = row.account();
            table.add(
                    row.role(),
                    account.requests(),
                    account.failures(),
                    account.errors(),
                    mean(account.busyNs(), account.requests()),
                    mean(account.answerNs(), account.requests()),
                    account.filterCalls(),
                    account.filterFaults(),
                    mean(account.filterNs(), account.filterCalls()),
                    busy(account.busyNs() + account.filterNs()),
                    account.allocatedBytes() < 0 ? NONE : allocated(account.allocatedBytes()));
        }
        return table.draw();
    }

    /** Those of this file or name that are on their way to somewhere, one a line. */
    public String onTheWay(String nameOrFile) {
        return plugins.stream()
                .filter(plugin -> plugin.name().equals(nameOrFile)
                        || plugin.file().toString().equals(nameOrFile))
                .map(plugin -> "plugin=" + plugin.name() + " version=" + plugin.version() + " state=" + state(plugin))
                .sorted()
                .collect(Collectors.joining("\n"));
    }

    private static String state(Plugin plugin) {
        return plugin.state().name().toLowerCase(Locale.ROOT);
    }

    private static String when(Plugin plugin) {
        return WHEN.format(Instant.ofEpochMilli(plugin.sinceMs()));
    }

    private static long sum(Plugin plugin, ToLongFunction<Account> figure) {
        return plugin.accounts().stream()
                .map(RoleAccount::account)
                .mapToLong(figure)
                .sum();
    }

    private static String busy(long ns) {
        return Span.text(Math.round(ns / NS_PER_MS));
    }

    private static String mean(long ns, long count) {
        return count == 0 ? NONE : String.format(Locale.ROOT, "%.3fms", ns / NS_PER_MS / count);
    }

    private static String allocated(long bytes) {
        double kib = bytes / KIB;
        if (kib < KIB) {
            return String.format(Locale.ROOT, "%.1fK", kib);
        }
        double mib = kib / KIB;
        return mib < KIB ? String.format(Locale.ROOT, "%.1fM", mib) : String.format(Locale.ROOT, "%.1fG", mib / KIB);
    }

    private static String orNone(String text) {
        return text.isEmpty() ? NONE : text;
    }

    private static void line(StringBuilder out, String name, Object value) {
        out.append(String.format("%-8s  %s%n", name, value));
    }

    private static void lines(StringBuilder out, String name, List<String> values) {
        for (int i = 0; i < values.size(); i++) {
            line(out, i == 0 ? name : "", values.get(i));
        }
    }
}
