package io.gregor.plugins;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.change.ConfigChange;
import io.gregor.internal.change.LiveSettings;
import io.gregor.internal.change.PreparedChange;
import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeFaults;
import io.gregor.internal.node.Role;
import io.gregor.internal.plugin.NamedService;
import io.gregor.internal.plugin.PluginClasses;
import io.gregor.plugins.internal.NamedKey;
import io.gregor.plugins.internal.NamedReporters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.config.ServerConfigs;
import org.apache.kafka.server.config.ServerLogConfigs;
import org.apache.kafka.server.metrics.MetricConfigs;
import org.apache.kafka.server.policy.AlterConfigPolicy;
import org.apache.kafka.server.policy.CreateTopicPolicy;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/**
 * Makes services of the classes that keys name, so that all who use them know services only. They are there before the node
 * has a role, and so before any door opens; one that cannot be made refuses the start.
 *
 * <p>Shared: the deployer and the reconfiguration thread, which take turns. The lock is held while plugins' classes are made,
 * which may take time: no other thread ever waits for it.
 */
@Component(immediate = true)
public final class NamedServices implements LiveSettings {
    private final BundleContext context;
    private final PluginClasses classes;
    private final DeployedBundles deployed;
    private final Runnable afterSwitch = this::switched;
    private final ReentrantLock turn = new ReentrantLock();

    @GuardedBy("turn")
    private final List<NamedKey<?>> keys = new ArrayList<>();

    @GuardedBy("turn")
    private final NamedReporters reporters;

    /** Makes what the configuration names. */
    @Activate
    public NamedServices(
            BundleContext context,
            @Reference NodeConfig config,
            @Reference NodeFaults faults,
            @Reference PluginClasses classes,
            @Reference DeployedBundles deployed) {
        this.context = context;
        this.deployed = deployed;
        this.classes = classes;
        this.reporters = new NamedReporters(context);
        turn.lock();
        try {
            make(config);
        } catch (ConfigException refused) {
            faults.refuseStart(String.valueOf(refused.getMessage()));
        } finally {
            turn.unlock();
        }
        deployed.afterSwitch(afterSwitch);
    }

    @GuardedBy("turn")
    private void make(NodeConfig config) {
        ClassLoader loader = classes.loader();
        var unused = reporters.prepare(config, loader).commit();
        add(config, ServerConfigs.AUTHORIZER_CLASS_NAME_CONFIG, Authorizer.class, loader);
        if (config.roles().contains(Role.CONTROLLER)) {
            add(config, ServerLogConfigs.CREATE_TOPIC_POLICY_CLASS_NAME_CONFIG, CreateTopicPolicy.class, loader);
            add(config, ServerLogConfigs.ALTER_CONFIG_POLICY_CLASS_NAME_CONFIG, AlterConfigPolicy.class, loader);
        }
    }

    @GuardedBy("turn")
    private <T extends Configurable> void add(NodeConfig config, String key, Class<T> type, ClassLoader loader) {
        NamedService named = NamedService.of(config.values(), key);
        if (named.isConfigured()) {
            NamedKey<T> made = new NamedKey<>(named, type, config.values().originals(), false);
            made.make(loader);
            made.register(context);
            keys.add(made);
        }
    }

    @Deactivate
    void stop() {
        deployed.forget(afterSwitch);
        turn.lock();
        try {
            keys.forEach(NamedKey::close);
            reporters.close();
        } finally {
            turn.unlock();
        }
    }

    private void switched() {
        turn.lock();
        try {
            ClassLoader loader = classes.loader();
            keys.forEach(key -> key.look(context, loader));
            reporters.look(loader);
        } finally {
            turn.unlock();
        }
    }

    @Override
    public boolean owns(String key) {
        return key.equals(MetricConfigs.METRIC_REPORTER_CLASSES_CONFIG);
    }

    @Override
    public PreparedChange prepare(ConfigChange change) {
        turn.lock();
        try {
            return inTurn(reporters.prepare(change.after(), classes.loader()));
        } finally {
            turn.unlock();
        }
    }

    private PreparedChange inTurn(PreparedChange prepared) {
        return new PreparedChange() {
            @Override
            public CompletableFuture<String> commit() {
                turn.lock();
                try {
                    return prepared.commit();
                } finally {
                    turn.unlock();
                }
            }

            @Override
            public void undo() {
                turn.lock();
                try {
                    prepared.undo();
                } finally {
                    turn.unlock();
                }
            }
        };
    }
}
