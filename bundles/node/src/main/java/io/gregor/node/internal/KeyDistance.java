package io.gregor.node.internal;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the known key that a mistyped one was meant to be. Immutable. */
final class KeyDistance {
    private static final int SHORT_KEY_CHARS = 8;

    private KeyDistance() {}

    /** The known key that is at most two slips of the finger away (one for short keys), the nearest first. */
    static Optional<String> nearest(String key, Collection<String> known) {
        int limit = key.length() < SHORT_KEY_CHARS ? 1 : 2;
        String best = null;
        int bestDistance = limit + 1;
        for (String candidate : known) {
            if (Math.abs(candidate.length() - key.length()) >= bestDistance) {
                continue;
            }
            int distance = between(key.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (distance < bestDistance
                    || (distance == bestDistance && best != null && candidate.compareTo(best) < 0)) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return Optional.ofNullable(best);
    }

    /** Characters to insert, delete, replace or swap with their neighbour to get from one to the other. */
    static int between(String from, String to) {
        int[][] cost = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            cost[i][0] = i;
        }
        for (int j = 0; j <= to.length(); j++) {
            cost[0][j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            for (int j = 1; j <= to.length(); j++) {
                int replace = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
                cost[i][j] = Math.min(Math.min(cost[i - 1][j] + 1, cost[i][j - 1] + 1), cost[i - 1][j - 1] + replace);
                if (i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1)) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[from.length()][to.length()];
    }
}
