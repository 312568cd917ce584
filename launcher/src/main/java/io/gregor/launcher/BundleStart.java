package io.gregor.launcher;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.osgi.service.log.LogService;
import org.osgi.service.log.LoggerFactory;
import org.slf4j.Logger;

/** Brings the bundles of a distribution up. Owned by the main thread. */
final class BundleStart {
    private static final Logger LOGGER = org.slf4j.LoggerFactory.getLogger(BundleStart.class);

    private final Framework framework;
    private final ExitRequest exit;
    private final StartFaults faults = new StartFaults();

    BundleStart(Framework framework, ExitRequest exit) {
        this.framework = framework;
        this.exit = exit;
    }

    /**
     * Installs and starts them; returns when the last start level is reached, or when the node has asked to end.
     *
     * @throws RefusedStart if a bundle cannot be installed, resolved or started
     */
    void run(List<PlacedBundle> bundles) {
        long beganNs = System.nanoTime();
        try {
            framework.init();
            BundleContext context = framework.getBundleContext();
            context.registerService(
                    IntConsumer.class, exit, FrameworkUtil.asDictionary(Map.of(ExitRequest.PROPERTY, true)));
            context.registerService(
                    new String[] {LoggerFactory.class.getName(), LogService.class.getName()}, new BundleLog(), null);
            context.addFrameworkListener(event -> {
                if (event.getType() == FrameworkEvent.ERROR) {
                    faults.add(event.getBundle(), event.getThrowable());
                }
            });
            for (PlacedBundle bundle : bundles) {
                install(context, bundle);
            }
            framework.start();
        } catch (BundleException fault) {
            throw new RefusedStart("the framework cannot start: " + StartFaults.reason(fault), fault);
        }
        if (!exit.isMade()) {
            faults.refuseIfAny();
            Duration took = Duration.ofNanos(System.nanoTime() - beganNs);
            LOGGER.info("bundles started: count={} tookMs={}", bundles.size(), took.toMillis());
        }
    }

    private static void install(BundleContext context, PlacedBundle placed) {
        try {
            Bundle bundle = context.installBundle("reference:" + placed.jar().toUri());
            bundle.adapt(BundleStartLevel.class).setStartLevel(placed.startLevel());
            bundle.start();
        } catch (BundleException fault) {
            throw new RefusedStart(
                    "bundle cannot be installed: jar=" + placed.jar() + " reason=" + StartFaults.reason(fault), fault);
        }
    }
}
