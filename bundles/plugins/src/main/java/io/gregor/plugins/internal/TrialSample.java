package io.gregor.plugins.internal;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The counters of a plugin on trial and of what it stands in front of, at one moment. Immutable.
 *
 * @param atMs the moment, in milliseconds of any clock that does not go back
 * @param trial by role and API key, what the trial's handlers did
 * @param former the same of all others who serve these keys
 * @param trialFilters what the trial's filters did
 * @param formerFilters the same of the version that the trial stands in front of; nothing if there is none
 * @param filtersOut filters of the trial that were put out, by name
 */
record TrialSample(
        long atMs,
        Map<ServedKey, Tally> trial,
        Map<ServedKey, Tally> former,
        FilterTally trialFilters,
        FilterTally formerFilters,
        List<String> filtersOut) {

    /** An API key of a role. Immutable. */
    record ServedKey(String role, short apiKey) {}

    /** What handlers did with requests of a key: see {@code ServingBundles.Account}. Immutable. */
    record Tally(long requests, long failures, long errors, long busyNs, long answerNs) {
        static final Tally NONE = new Tally(0, 0, 0, 0, 0);

        Tally plus(Tally other) {
            return new Tally(
                    requests + other.requests,
                    failures + other.failures,
                    errors + other.errors,
                    busyNs + other.busyNs,
                    answerNs + other.answerNs);
        }

        Tally minus(Tally earlier) {
            return new Tally(
                    requests - earlier.requests,
                    failures - earlier.failures,
                    errors - earlier.errors,
                    busyNs - earlier.busyNs,
                    answerNs - earlier.answerNs);
        }

        /** Requests that ended badly: a request whose connection was closed is no error, but a failure. */
        long bad() {
            return Math.max(errors, failures);
        }
    }

    /** What filters did. Immutable. */
    record FilterTally(long calls, long faults, long ns) {
        static final FilterTally NONE = new FilterTally(0, 0, 0);

        FilterTally plus(FilterTally other) {
            return new FilterTally(calls + other.calls, faults + other.faults, ns + other.ns);
        }

        FilterTally minus(FilterTally earlier) {
            return new FilterTally(calls - earlier.calls, faults - earlier.faults, ns - earlier.ns);
        }
    }

    /** Requests of the trial's handlers and calls of its filters. */
    long uses() {
        return trialFilters.calls()
                + trial.values().stream().mapToLong(Tally::requests).sum();
    }

    /** What was done between an earlier sample and this one. */
    TrialSample since(TrialSample earlier) {
        return new TrialSample(
                atMs - earlier.atMs,
                minus(trial, earlier.trial),
                minus(former, earlier.former),
                trialFilters.minus(earlier.trialFilters),
                formerFilters.minus(earlier.formerFilters),
                filtersOut);
    }

    private static Map<ServedKey, Tally> minus(Map<ServedKey, Tally> now, Map<ServedKey, Tally> earlier) {
        Map<ServedKey, Tally> difference = new HashMap<>();
        now.forEach((key, tally) -> difference.put(key, tally.minus(earlier.getOrDefault(key, Tally.NONE))));
        return difference;
    }
}
