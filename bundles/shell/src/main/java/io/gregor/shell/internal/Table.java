package io.gregor.shell.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lines of cells under named columns, drawn with aligned columns: numbers to the right, text to the left. Owned by the
 * thread that runs the command.
 */
public final class Table {
    private static final String GAP = "  ";
    private static final Pattern FILTER = Pattern.compile("([A-Za-z-]+)([=~])(.*)");

    private final String[] columns;
    private final List<Object[]> rows = new ArrayList<>();

    /** A table with these column names and no rows. */
    public Table(String... columns) {
        this.columns = columns;
    }

    /** Adds a row with a cell for each column. */
    public void add(Object... cells) {
        if (cells.length != columns.length) {
            throw new IllegalArgumentException("cells=" + cells.length + " must be columns=" + columns.length);
        }
        rows.add(cells);
    }

    /**
     * The rows that fit all filters: {@code column=text} is the whole cell, {@code column~text} a part of it, a text alone a
     * part of any cell; case does not matter.
     *
     * @throws IllegalArgumentException if a filter names a column that is not there
     */
    public Table matching(List<String> filters) {
        Table fitting = new Table(columns);
        List<Predicate<Object[]>> all = filters.stream().map(this::predicate).toList();
        rows.stream().filter(row -> all.stream().allMatch(one -> one.test(row))).forEach(fitting.rows::add);
        return fitting;
    }

    private Predicate<Object[]> predicate(String filter) {
        Matcher parts = FILTER.matcher(filter);
        if (!parts.matches()) {
            return row -> Arrays.stream(row).anyMatch(cell -> contains(cell, filter));
        }
        int column = Arrays.asList(columns).indexOf(parts.group(1).toUpperCase(Locale.ROOT));
        if (column < 0) {
            throw new IllegalArgumentException("unknown column in filter=" + filter + ", there are "
                    + String.join(", ", columns).toLowerCase(Locale.ROOT));
        }
        String text = parts.group(3);
        return parts.group(2).equals("=")
                ? row -> row[column].toString().equalsIgnoreCase(text)
                : row -> contains(row[column], text);
    }

    private static boolean contains(Object cell, String part) {
        return cell.toString().toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
    }

    /** Draws the table; without rows it is the column names and {@code (none)}. */
    public String draw() {
        StringBuilder out = new StringBuilder();
        int[] widths = widths();
        line(out, columns, widths);
        for (Object[] row : rows) {
            out.append('\n');
            line(out, row, widths);
        }
        if (rows.isEmpty()) {
            out.append("\n(none)");
        }
        return out.toString();
    }

    private int[] widths() {
        int[] widths = new int[columns.length];
        for (int i = 0; i < columns.length; i++) {
            widths[i] = columns[i].length();
            for (Object[] row : rows) {
                widths[i] = Math.max(widths[i], row[i].toString().length());
            }
        }
        return widths;
    }

    private void line(StringBuilder out, Object[] cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            String text = cells[i].toString();
            String padding = " ".repeat(widths[i] - text.length());
            line.append(i == 0 ? "" : GAP);
            line.append(isNumeric(i) ? padding + text : text + padding);
        }
        out.append(line.toString().stripTrailing());
    }

    private boolean isNumeric(int column) {
        return !rows.isEmpty() && rows.stream().allMatch(row -> row[column] instanceof Number);
    }
}
