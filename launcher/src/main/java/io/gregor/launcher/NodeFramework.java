package io.gregor.launcher;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.stream.Stream;
import org.apache.felix.framework.FrameworkFactory;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The framework with the bundles of the distribution in it. Started by the main thread, stopped by any. Shared: any
 * thread; see {@link #stop}.
 */
final class NodeFramework {
    private static final Logger LOGGER = LoggerFactory.getLogger(NodeFramework.class);
    private static final String LAST_START_LEVEL = "99";

    private final StartArguments arguments;
    private final Path distribution;
    private final StartFaults faults = new StartFaults();
    private final Framework framework;
    private final ExitRequest exit = new ExitRequest(System::exit);

    NodeFramework(StartArguments arguments, Path distribution) {
        this.arguments = arguments;
        this.distribution = distribution;
        Map<String, Object> properties = new HashMap<>(properties());
        properties.put("felix.log.logger", new FrameworkLog());
        this.framework = new FrameworkFactory().newFramework(properties);
    }

    /** What bundles can read with {@code BundleContext.getProperty}, and what the framework is told. */
    private Map<String, String> properties() {
        Map<String, String> properties = new HashMap<>();
        properties.put("gregor.home", arguments.home().toString());
        properties.put("gregor.dist", distribution.toString());
        properties.put("gregor.config.file", arguments.config().toString());
        for (int i = 0; i < arguments.overrides().size(); i++) {
            properties.put("gregor.override." + i, arguments.overrides().get(i));
        }
        properties.put(
                Constants.FRAMEWORK_STORAGE,
                arguments.home().resolve("run/cache").toString());
        properties.put(Constants.FRAMEWORK_STORAGE_CLEAN, Constants.FRAMEWORK_STORAGE_CLEAN_ONFIRSTINIT);
        properties.put(Constants.FRAMEWORK_BEGINNING_STARTLEVEL, LAST_START_LEVEL);
        properties.put(Constants.FRAMEWORK_BOOTDELEGATION, "sun.*");
        properties.put(Constants.FRAMEWORK_BSNVERSION, Constants.FRAMEWORK_BSNVERSION_MULTIPLE);
        properties.put(
                Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA, slf4jPackages("1.7.36") + "," + slf4jPackages("2.0.17"));
        properties.put("felix.log.level", "2");
        return properties;
    }

    /** SLF4J comes from the class path; Kafka's libraries ask for 1.7, ours for 2.0, and 2.0 serves both. */
    private static String slf4jPackages(String version) {
        String exported = ";version=\"" + version + "\"";
        return String.join(
                ",",
                List.of(
                        "org.slf4j" + exported,
                        "org.slf4j.event" + exported,
                        "org.slf4j.helpers" + exported,
                        "org.slf4j.spi" + exported));
    }

    /**
     * Installs and starts everything; returns when the last start level is reached or a stop was asked for meanwhile.
     *
     * @throws RefusedStart if a bundle cannot be installed, resolved or started
     */
    void start() {
        long startNs = System.nanoTime();
        List<PlacedBundle> bundles = PlacedBundle.in(distribution.resolve("bundles"));
        try {
            framework.init();
            BundleContext context = framework.getBundleContext();
            context.registerService(
                    IntConsumer.class, exit, FrameworkUtil.asDictionary(Map.of(ExitRequest.PROPERTY, true)));
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
        if (exit.isRequested()) {
            return;
        }
        faults.refuseIfAny();
        LOGGER.info(
                "bundles started: count={} tookMs={}",
                bundles.size(),
                Duration.ofNanos(System.nanoTime() - startNs).toMillis());
    }

    private static void install(BundleContext context, PlacedBundle placed) {
        try {
            Bundle bundle = context.installBundle("reference:" + placed.jar().toUri());
            bundle.adapt(BundleStartLevel.class).setStartLevel(placed.startLevel());
            if (bundle.getHeaders().get(Constants.FRAGMENT_HOST) == null) {
                bundle.start();
            }
        } catch (BundleException fault) {
            throw new RefusedStart(
                    "bundle cannot be installed: jar=" + placed.jar() + " reason=" + StartFaults.reason(fault), fault);
        }
    }

    /** Begins the stop, bundles of the highest start level first, and returns. Any thread, any number of times. */
    void stop() {
        try {
            framework.stop();
        } catch (BundleException fault) {
            LOGGER.error("the framework cannot stop", fault);
        }
    }

    /** Waits until the framework has stopped. */
    void awaitStopped() throws InterruptedException {
        framework.waitForStop(0);
    }

    /** Waits; false if it has not stopped by then. */
    boolean awaitStopped(Duration limit) throws InterruptedException {
        return framework.waitForStop(limit.toMillis()).getType() != FrameworkEvent.WAIT_TIMEDOUT;
    }

    /** The bundles that are stopping just now, for a log line. */
    String stopping() {
        BundleContext context = framework.getBundleContext();
        if (context == null) {
            return "bundles=[]";
        }
        return "bundles="
                + Stream.of(context.getBundles())
                        .filter(bundle -> bundle.getState() == Bundle.STOPPING && bundle.getBundleId() != 0)
                        .map(Bundle::getSymbolicName)
                        .toList();
    }
}
