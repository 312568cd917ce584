package io.gregor.example.audit;

import java.util.Comparator;
import org.apache.kafka.common.requests.RequestContext;

/**
 * Who asks. Immutable.
 *
 * @param principal as {@code User:alice}
 * @param client the client id
 */
record Caller(String principal, String client) implements Comparable<Caller> {
    /** All callers together that have no line of their own. */
    static final Caller OTHERS = new Caller("(others)", "(others)");

    private static final int LONGEST = 128;
    private static final Comparator<Caller> BY_NAME =
            Comparator.comparing(Caller::principal).thenComparing(Caller::client);

    /** Whoever sent a request. Names come from strangers: they are cut, and keep to one line of a log. */
    static Caller of(RequestContext context) {
        String client = context.clientId();
        return new Caller(plain(context.principal.toString()), client == null ? "" : plain(client));
    }

    private static String plain(String name) {
        String cut = name.length() > LONGEST ? name.substring(0, LONGEST) + "…" : name;
        return cut.chars().anyMatch(Caller::isStrange)
                ? cut.codePoints()
                        .map(point -> isStrange(point) ? '?' : point)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString()
                : cut;
    }

    private static boolean isStrange(int character) {
        return Character.isISOControl(character) || character == '\u2028' || character == '\u2029';
    }

    @Override
    public int compareTo(Caller other) {
        return BY_NAME.compare(this, other);
    }
}
