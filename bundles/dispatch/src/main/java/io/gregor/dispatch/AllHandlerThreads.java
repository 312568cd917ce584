package io.gregor.dispatch;

import io.gregor.dispatch.internal.HandlerThreads;
import io.gregor.internal.node.NodeConfig;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Immutable. What the handler threads of both roles have in common: there once, while a role's dispatch is there. */
@Component(service = AllHandlerThreads.class)
public final class AllHandlerThreads {
    private final HandlerThreads threads;

    /** No threads yet. */
    @Activate
    public AllHandlerThreads(@Reference NodeConfig config) {
        threads = new HandlerThreads(config.values());
    }

    /** Takes the MBean back. */
    @Deactivate
    void deactivate() {
        threads.close();
    }

    /** Where each role's threads are added. */
    HandlerThreads threads() {
        return threads;
    }
}
