package io.gregor.dispatch.internal;

import java.util.List;
import java.util.function.Function;
import javax.management.MBeanInfo;
import org.jspecify.annotations.Nullable;

/** How many requests wait for a handler, and how many bytes they have. Shared: any thread. */
final class WaitingRequestsBean extends ReadOnlyBean {
    private static final MBeanInfo INFO =
            info(WaitingRequestsBean.class, List.of(attribute("Count", Integer.class), attribute("Bytes", Long.class)));

    private final HandlerRegistry registry;

    WaitingRequestsBean(HandlerRegistry registry) {
        super(INFO);
        this.registry = registry;
    }

    @Override
    Function<String, @Nullable Object> read() {
        ApiTable table = registry.table();
        return name -> switch (name) {
            case "Count" -> table.waitingRequests();
            case "Bytes" -> table.waitingBytes();
            default -> null;
        };
    }
}
