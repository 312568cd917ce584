package io.gregor.plugins.internal;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A package that a bundle imports, as the filter of its requirement says; and why it cannot have it. */
final class NeededPackage {
    private static final Pattern NAME = Pattern.compile("\\(osgi\\.wiring\\.package=([^)]+)\\)");
    private static final Pattern LOWEST = Pattern.compile("\\(version>=([^)]+)\\)");
    private static final Pattern ABOVE = Pattern.compile("\\(!\\(version>=([^)]+)\\)\\)");

    private NeededPackage() {}

    /** The package's name. */
    static String name(String filter) {
        return first(NAME, filter, filter);
    }

    /** The versions of it that would do, as {@code [1.0.0,2.0.0)}. */
    static String versions(String filter) {
        String above = first(ABOVE, filter, "");
        String lowest = first(LOWEST, ABOVE.matcher(filter).replaceAll(""), "0");
        return above.isEmpty() ? lowest + " or higher" : "[" + lowest + "," + above + ")";
    }

    /**
     * The reason for the operator.
     *
     * @param here the versions of the package that are here; empty if there is none
     */
    static RefusedJar refuse(String filter, List<String> here) {
        String name = name(filter);
        if (here.isEmpty()) {
            return new RefusedJar(
                    "package missing: it needs " + name + ", which no bundle here exports",
                    "put its classes into the jar (bnd: -includepackage or -includeresource), or drop the bundle that exports it",
                    name);
        }
        String versions = String.join(" and ", here);
        return new RefusedJar(
                "wrong version: it is built for " + name + " " + versions(filter) + ", this node has " + versions,
                "build it against " + name + " " + versions,
                name);
    }

    private static String first(Pattern pattern, String text, String otherwise) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(1) : otherwise;
    }
}
