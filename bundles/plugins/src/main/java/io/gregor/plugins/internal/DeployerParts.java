package io.gregor.plugins.internal;

import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Time;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.runtime.ServiceComponentRuntime;

/** What the steps of a deployment work with; each for the deployer thread. Immutable. */
record DeployerParts(
        Time time,
        PluginCalls calls,
        JarIntake intake,
        Installation installation,
        Components components,
        Overriding overriding,
        RoleStandings standings,
        Departures departures,
        DeployReport report) {
    /**
     * The parts of a node.
     *
     * @param copies where jars are copied to
     * @param swapTimeoutMs how long a bundle may take for what it has in hand before it is asked to hurry
     */
    static DeployerParts of(
            BundleContext context, ServiceComponentRuntime runtime, Path copies, LongSupplier swapTimeoutMs) {
        Time time = Time.SYSTEM;
        PluginCalls calls = new PluginCalls(PluginCalls.LIMIT);
        HeldServices held = new HeldServices(calls);
        Components components = new Components(runtime, held);
        Installation installation = new Installation(context, calls);
        RoleStandings standings = new RoleStandings();
        return new DeployerParts(
                time,
                calls,
                new JarIntake(copies),
                installation,
                components,
                new Overriding(context, components),
                standings,
                new Departures(standings, held, installation, time, swapTimeoutMs),
                new DeployReport());
    }
}
