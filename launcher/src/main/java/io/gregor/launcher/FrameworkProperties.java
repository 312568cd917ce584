package io.gregor.launcher;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.osgi.framework.Constants;

/** What the framework is told, and what bundles can read with {@code BundleContext.getProperty}. */
final class FrameworkProperties {
    /** How long one component waits for another to be activated; the default of 5 s is short for a machine under load. */
    private static final String SLOWEST_ACTIVATION_MS = "60000";

    private static final String LAST_START_LEVEL = "99";

    private static final String DEPLOY_POLL_MS = "250";

    private FrameworkProperties() {}

    /** {@code hasConsole} says whether the node may tell on the console that it is ready. */
    static Map<String, Object> of(StartArguments arguments, Path distribution, boolean hasConsole) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("gregor.console", String.valueOf(hasConsole));
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
        properties.put(Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA, String.join(",", classPathPackages()));
        properties.put("ds.lock.timeout.milliseconds", SLOWEST_ACTIVATION_MS);
        watchDeploy(properties, arguments.home().resolve("deploy"));
        properties.put("felix.log.level", "2");
        properties.put("felix.log.logger", new FrameworkLog());
        return properties;
    }

    /** What FileInstall looks at, which tells {@code plugins} of it: jars, at once when it starts, then by polling. */
    private static void watchDeploy(Map<String, Object> properties, Path directory) {
        properties.put("felix.fileinstall.dir", directory.toString());
        properties.put("felix.fileinstall.filter", ".*\\.jar");
        properties.put("felix.fileinstall.poll", DEPLOY_POLL_MS);
        properties.put("felix.fileinstall.noInitialDelay", "true");
        properties.put("felix.fileinstall.subdir.mode", "skip");
        // the events of the disk are not filtered when a file takes the place of one that was there at the start
        properties.put("felix.fileinstall.disableNio2", "true");
        properties.put("felix.fileinstall.enableConfigSave", "false");
        properties.put("felix.fileinstall.log.level", "2");
    }

    /**
     * What bundles get from the class path, so that it outlives any of them. Kafka's libraries ask for SLF4J 1.7, ours for
     * 2.0, and 2.0 serves both. Logback is for the levels that change while the node runs.
     */
    private static List<String> classPathPackages() {
        List<String> packages = new ArrayList<>(
                List.of("org.osgi.service.log;version=\"1.5.0\"", "ch.qos.logback.classic;version=\"1.5.18\""));
        for (String version : List.of("1.7.36", "2.0.17")) {
            for (String name : List.of("org.slf4j", "org.slf4j.event", "org.slf4j.helpers", "org.slf4j.spi")) {
                packages.add(name + ";version=\"" + version + "\"");
            }
        }
        return packages;
    }
}
