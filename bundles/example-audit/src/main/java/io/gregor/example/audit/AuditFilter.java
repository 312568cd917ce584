package io.gregor.example.audit;

import io.gregor.api.FilteredRequest;
import io.gregor.api.FilteredResponse;
import io.gregor.api.FiltersApis;
import io.gregor.api.NodeSettings;
import io.gregor.api.RequestFilter;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.requests.AbstractResponse;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a line a minute for each principal and client id that produces or fetches: how much, how often in vain, and how long
 * quotas held it back. {@code example.audit.interval.ms} makes the minute shorter. The lines are written by the first request
 * after it, so there is no thread for it, and none where nobody asks. It stands next to the client, and so counts what really
 * comes and goes. Shared: any thread.
 */
@Component(property = "service.ranking:Integer=10000")
@FiltersApis(
        api_key = {0, 1},
        filter_fails = "open")
public final class AuditFilter implements RequestFilter {
    private static final Logger LOGGER = LoggerFactory.getLogger("io.gregor.example.audit");
    /** Those that move less are one line together. */
    private static final int CALLERS = 500;

    /** Where lines go. */
    interface Lines {
        void write(Caller caller, long ms, Usage usage);
    }

    private final LongSupplier clockNs;
    private final Lines lines;
    private final UsageTable table = new UsageTable(CALLERS);
    private final AtomicLong beganNs;
    private final NodeSettings.Owned settings;
    private volatile Interval interval = Interval.of(Map.of());

    /** Begins to count. */
    @Activate
    public AuditFilter(@Reference NodeSettings settings) {
        this(settings, System::nanoTime, AuditFilter::log);
    }

    AuditFilter(NodeSettings settings, LongSupplier clockNs, Lines lines) {
        this.clockNs = clockNs;
        this.lines = lines;
        this.beganNs = new AtomicLong(clockNs.getAsLong());
        this.settings = settings.own(Interval.PREFIX, values -> {
            Interval proposed = Interval.of(values);
            return () -> interval = proposed;
        });
    }

    /** The last lines. */
    @Deactivate
    void stop() {
        settings.close();
        write(clockNs.getAsLong() - beganNs.get());
    }

    @Override
    public void filterRequest(FilteredRequest request) {
        writeIfOver();
        Caller caller = Caller.of(request.context());
        request.attach(caller);
        table.add(caller, Usage.request(request.sizeBytes()));
    }

    @Override
    public void filterResponse(FilteredResponse response) {
        if (response.attachment() instanceof Caller caller) {
            AbstractResponse body = response.body(AbstractResponse.class);
            long bytes = body.data().size(new ObjectSerializationCache(), response.apiVersion());
            table.add(caller, Usage.response(bytes, errors(body), body.throttleTimeMs()));
        }
    }

    private static long errors(AbstractResponse response) {
        long errors = 0;
        for (Map.Entry<Errors, Integer> count : response.errorCounts().entrySet()) {
            errors += count.getKey() == Errors.NONE ? 0 : count.getValue();
        }
        return errors;
    }

    private void writeIfOver() {
        long nowNs = clockNs.getAsLong();
        long began = beganNs.get();
        long passedNs = nowNs - began;
        if (passedNs >= TimeUnit.MILLISECONDS.toNanos(interval.ms()) && beganNs.compareAndSet(began, nowNs)) {
            write(passedNs);
        }
    }

    private void write(long passedNs) {
        long passedMs = TimeUnit.NANOSECONDS.toMillis(passedNs);
        table.take().forEach((caller, usage) -> lines.write(caller, passedMs, usage));
    }

    private static void log(Caller caller, long ms, Usage usage) {
        LOGGER.info(
                "audit: principal={} client={} ms={} requests={} bytesIn={} bytesOut={} errors={} throttleMs={}",
                caller.principal(),
                caller.client(),
                ms,
                usage.requests(),
                usage.bytesIn(),
                usage.bytesOut(),
                usage.errors(),
                usage.throttleMs());
    }
}
