package io.gregor.node.internal;

import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.node.EngineThread;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.plugin.PluginClasses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.server.log.remote.storage.RemoteLogManagerConfig;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the node does when it starts, step by step, and the other way round when it stops. {@link #run} is the start
 * thread's; {@link #close} is called when that thread has ended.
 */
public final class NodeStart implements Runnable, AutoCloseable {
    /** Service property of {@link NodeConfig}: {@code System.nanoTime} when the node began to start. */
    public static final String STARTED_NS = "started.ns";

    private static final Logger LOGGER = LoggerFactory.getLogger(NodeStart.class);

    private final BundleContext context;
    private final ConfigurationAdmin admin;
    private final PluginClasses classes;
    private final CleanEnd end;
    private final long startedNs = System.nanoTime();
    private final Deque<AutoCloseable> undo = new ArrayDeque<>();

    /** Nothing happens yet. */
    public NodeStart(BundleContext context, ConfigurationAdmin admin, PluginClasses classes, IntConsumer exit) {
        this.context = context;
        this.classes = classes;
        this.admin = admin;
        this.end = new CleanEnd(exit);
    }

    @Override
    public void run() {
        try {
            start();
        } catch (StartRefused refused) {
            end.refuseStart(String.valueOf(refused.getMessage()));
        } catch (Throwable fault) {
            end.failStart(fault);
        }
    }

    private void start() throws IOException {
        EngineStatics statics = EngineStatics.take(end);
        undo.push(() -> release(statics));
        register(NodeFaults.class, end, Map.of());

        Settings typed = settings();
        end.hide(typed.secrets());
        Settings settings = EngineThread.call(classes.loader(), typed::provided);
        end.hide(settings.secrets());
        NodeConfig config = EngineThread.call(classes.loader(), () -> ConfigReading.read(settings, home()));
        LOGGER.info(
                "configuration read: file={} overrides={} home={}",
                settings.file(),
                settings.overrides(),
                config.home());
        register(Settings.class, settings, Map.of());
        register(NodeConfig.class, config, Map.of(STARTED_NS, startedNs));

        if (config.values() instanceof NodeKafkaConfig own) {
            register(LiveSettings.class, own.outgoing(), Map.of());
        }

        NodeIdentity identity = new LogDirectories(config, settings.file()).open();
        register(NodeIdentity.class, identity, Map.of());

        NodeMetrics metrics = NodeMetrics.open(config, identity.clusterId(), end);
        undo.push(metrics);
        register(Metrics.class, metrics.registry(), Map.of());
        ServerGauges.register(config.roles(), identity.clusterId());

        boolean isRemoteStorageOn = new RemoteLogManagerConfig(config.values()).isRemoteStorageSystemEnabled();
        undo.push(RoleConfigurations.create(admin, config.roles(), isRemoteStorageOn));
        LOGGER.info(
                "node is configured: node={} roles={} cluster={}",
                config.nodeId(),
                config.roles(),
                identity.clusterId());
    }

    private void release(EngineStatics statics) {
        statics.release();
        if (context.getBundle(Constants.SYSTEM_BUNDLE_ID).getState() == Bundle.STOPPING) {
            statics.releaseForGood();
        }
    }

    private Settings settings() {
        String file = context.getProperty("gregor.config.file");
        Path path = file == null ? defaultFile() : Path.of(file);
        List<String> overrides = new ArrayList<>();
        String override = context.getProperty("gregor.override.0");
        while (override != null) {
            overrides.add(override);
            override = context.getProperty("gregor.override." + overrides.size());
        }
        return Settings.read(path, overrides);
    }

    private Path defaultFile() {
        String distribution = context.getProperty("gregor.dist");
        if (distribution == null) {
            throw new StartRefused("no config file: name one on the command line");
        }
        return Path.of(distribution, "config", "server.properties");
    }

    private Path home() {
        String home = context.getProperty("gregor.home");
        return Path.of(home == null ? "" : home).toAbsolutePath().normalize();
    }

    private <T> void register(Class<T> type, T service, Map<String, Object> properties) {
        ServiceRegistration<T> registration =
                context.registerService(type, service, FrameworkUtil.asDictionary(properties));
        undo.push(registration::unregister);
    }

    /** Takes everything back, last first. */
    @Override
    public void close() {
        while (!undo.isEmpty()) {
            try {
                undo.pop().close();
            } catch (Exception fault) {
                LOGGER.warn("the node's start is not taken back completely", fault);
            }
        }
    }
}
