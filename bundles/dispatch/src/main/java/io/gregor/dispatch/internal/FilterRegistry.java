package io.gregor.dispatch.internal;

import io.gregor.api.RequestFilter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.ServiceReference;

/** The filter services of one role. Shared: any thread. */
public final class FilterRegistry {
    private volatile Runnable onChange = () -> {};

    /** What is run, on the changing thread, when other filters count than before. */
    void onChange(Runnable work) {
        onChange = work;
    }

    /** The filters of a key; null if there are none. */
    @Nullable
    FilterChain chain(short key) {
        return null;
    }

    /** What the filters of each bundle did. */
    List<FilterAccount> accounts() {
        return List.of();
    }

    /** A filter service came. */
    public void add(ServiceReference<RequestFilter> reference) {
        onChange.run();
    }

    /** The properties of a filter service changed. */
    public void change(ServiceReference<RequestFilter> reference) {
        onChange.run();
    }

    /** A filter service leaves; returns when no thread is inside it. */
    public void remove(ServiceReference<RequestFilter> reference) {
        onChange.run();
    }
}
