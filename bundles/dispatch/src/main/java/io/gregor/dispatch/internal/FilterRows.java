package io.gregor.dispatch.internal;

import io.gregor.internal.dispatch.FilterRow;
import io.gregor.internal.plugin.Standing;
import org.apache.kafka.common.security.auth.KafkaPrincipal;

/** How filters are shown. Immutable. */
final class FilterRows {
    private FilterRows() {}

    /** A filter as it stands. */
    static FilterRow row(BoundFilter filter, Standing standing) {
        FilterTerms terms = filter.terms();
        FilterFigures figures = filter.figures();
        String out = filter.guard().reason();
        return new FilterRow(
                filter.name(),
                filter.bundleTitle(),
                terms.keys().stream().map(Short::intValue).toList(),
                filter.order().ranking(),
                terms.listeners(),
                terms.principals().stream().map(KafkaPrincipal::toString).toList(),
                terms.fails(),
                state(out != null, standing),
                out == null ? reason(standing) : out,
                figures.calls(),
                figures.faults(),
                figures.meanNs(),
                figures.allocatedBytes());
    }

    private static FilterRow.State state(boolean isOut, Standing standing) {
        boolean isUsed = standing.kind() == Standing.Kind.LIVE || standing.kind() == Standing.Kind.TRIAL;
        return !isUsed ? FilterRow.State.ASIDE : isOut ? FilterRow.State.OUT : FilterRow.State.IN;
    }

    private static String reason(Standing standing) {
        return switch (standing.kind()) {
            case LIVE -> "";
            case TRIAL -> "on trial for " + standing.sharePercent() + " of 100 connections";
            case HELD -> "its bundle is looked at before it is used";
            case RETIRED -> "another bundle has taken the place of its own";
            case LEAVING -> "its bundle is leaving";
        };
    }
}
