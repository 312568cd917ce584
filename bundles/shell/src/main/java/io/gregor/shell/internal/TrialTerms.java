package io.gregor.shell.internal;

import io.gregor.internal.plugin.Plugins.Terms;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and spells the terms of a trial. Immutable. */
public final class TrialTerms {
    /** The words of {@code plugin:try} that are terms. */
    public static final String SHARE = "--share";

    /** How long. */
    public static final String FOR = "--for";

    /** The limit of errors. */
    public static final String MAX_ERRORS = "--max-errors";

    /** The limit of time. */
    public static final String MAX_LATENCY = "--max-latency";

    private static final String SHARE_DEFAULT = "10%";
    private static final String ALL = "100%";
    private static final String ERRORS_DEFAULT = "1%";
    private static final String LATENCY_DEFAULT = "2x";
    private static final Pattern LENGTH = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

    private TrialTerms() {}

    /**
     * Reads them: a trial for a time is one of all connections, if no share is given; one without a time goes on until it is
     * ended.
     *
     * @throws IllegalArgumentException if one of them cannot be read, or is out of its range
     */
    public static Terms of(Words words) {
        String share = words.value(SHARE).orElse(words.has(FOR) ? ALL : SHARE_DEFAULT);
        return new Terms(
                (int) number(SHARE, share, "%", 1, 100, true),
                words.value(FOR).map(TrialTerms::length).orElse(Duration.ZERO),
                number(MAX_ERRORS, words.value(MAX_ERRORS).orElse(ERRORS_DEFAULT), "%", 0, 100, false),
                number(MAX_LATENCY, words.value(MAX_LATENCY).orElse(LATENCY_DEFAULT), "x", 1, 1000, false));
    }

    private static double number(String option, String typed, String unit, int least, int most, boolean isWhole) {
        String digits = typed.endsWith(unit) ? typed.substring(0, typed.length() - unit.length()) : typed;
        String form = isWhole ? "\\d{1,4}" : "\\d{1,4}(\\.\\d{1,4})?";
        if (digits.matches(form)) {
            double number = Double.parseDouble(digits);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw new IllegalArgumentException(String.format(
                Locale.ROOT,
                "%s=%s must be a %s from %d%s to %d%s",
                option,
                typed,
                isWhole ? "whole number" : "number",
                least,
                unit,
                most,
                unit));
    }

    private static Duration length(String typed) {
        Matcher parts = LENGTH.matcher(typed);
        if (parts.matches()) {
            Duration length = unit(parts.group(2)).multipliedBy(Long.parseLong(parts.group(1)));
            if (!length.isZero()) {
                return length;
            }
        }
        throw new IllegalArgumentException(
                FOR + "=" + typed + " must be a length of time above 0, as 90s, 10m or 2h; leave it out for no end");
    }

    private static Duration unit(String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(1);
            case "s" -> Duration.ofSeconds(1);
            case "m" -> Duration.ofMinutes(1);
            case "h" -> Duration.ofHours(1);
            default -> Duration.ofDays(1);
        };
    }
}
