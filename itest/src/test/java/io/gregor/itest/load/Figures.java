package io.gregor.itest.load;

import java.util.List;
import java.util.Locale;

/**
 * What a load has seen over a span of time. Immutable.
 *
 * @param answered responses that came in order and without an error
 * @param produced acknowledged records among them
 * @param failed requests whose response has an error, is another's, or never came
 * @param unanswered those of them that have no response
 * @param dropped connections that the node closed
 * @param worstMs the longest time from a request to its response, less the time that it was meant to wait
 * @param faults what went wrong, the first few
 */
public record Figures(
        long answered, long produced, long failed, long unanswered, long dropped, double worstMs, List<String> faults) {
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "answered=%d failed=%d unanswered=%d dropped=%d worstMs=%.1f%s",
                answered,
                failed,
                unanswered,
                dropped,
                worstMs,
                faults.isEmpty() ? "" : " faults=" + faults);
    }
}
