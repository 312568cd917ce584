package io.gregor.internal.plugin;

/**
 * How the services of a bundle count for those who serve requests with them. A bundle of which nobody has said anything is
 * {@link #LIVE}. Immutable.
 *
 * <pre>
 *  HELD ──▶ LIVE ──▶ RETIRED ──▶ (stopped)
 *   │ ▲      ▲  └───▶ LEAVING ──▶ (stopped)
 *   ▼ │      │
 *  TRIAL ────┘
 * </pre>
 *
 * @param kind how they count
 * @param sharePercent of a trial: so many of 100 connections are served with them, 1 to 100; else 100
 */
public record Standing(Kind kind, int sharePercent) {
    /** The kinds of standing. */
    public enum Kind {
        /** Its services are there and not used: it is looked at whether they all come. */
        HELD,
        /** Its services are used for a share of the connections, in front of what else would serve them. */
        TRIAL,
        /** Its services are used, the highest ranking first. */
        LIVE,
        /** Another bundle has taken its place: nothing new comes to it, what it has in hand is finished. */
        RETIRED,
        /**
         * It goes for good: as {@link #RETIRED}, and an API key that nobody else serves is gone at once, without waiting for a
         * successor.
         */
        LEAVING
    }

    /** Used. */
    public static final Standing LIVE = new Standing(Kind.LIVE, 100);

    /** Not used yet. */
    public static final Standing HELD = new Standing(Kind.HELD, 100);

    /** Not used any more. */
    public static final Standing RETIRED = new Standing(Kind.RETIRED, 100);

    /** Not used any more, nor waited for. */
    public static final Standing LEAVING = new Standing(Kind.LEAVING, 100);

    /** Whether its services are used, for a share of the connections at least. */
    public boolean isUsed() {
        return kind == Kind.LIVE || kind == Kind.TRIAL;
    }

    /** Used for a share of the connections. */
    public static Standing trial(int sharePercent) {
        return new Standing(Kind.TRIAL, sharePercent);
    }
}
