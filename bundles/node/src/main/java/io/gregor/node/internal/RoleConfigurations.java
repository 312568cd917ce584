package io.gregor.node.internal;

import io.gregor.internal.node.Configurations;
import io.gregor.internal.node.Role;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/**
 * The configurations that make components of the node's roles exist. Owned by the threads that start and stop the node.
 */
final class RoleConfigurations implements AutoCloseable {
    private static final String ANY_BUNDLE = "?";
    private static final String OURS = "(|(service.factoryPid=" + Configurations.ROLE + ")(service.pid="
            + Configurations.BROKER + ")(service.pid=" + Configurations.CONTROLLER + ")(service.pid="
            + Configurations.METADATA + ")(service.pid=" + Configurations.REMOTE_STORAGE + "))";

    private final ConfigurationAdmin admin;

    private RoleConfigurations(ConfigurationAdmin admin) {
        this.admin = admin;
    }

    /**
     * Replaces what an earlier start may have left by the configurations of these roles.
     *
     * @param isRemoteStorageOn whether the broker has remote storage
     */
    static RoleConfigurations create(ConfigurationAdmin admin, Set<Role> roles, boolean isRemoteStorageOn)
            throws IOException {
        RoleConfigurations configurations = new RoleConfigurations(admin);
        configurations.close();
        int controllers = roles.contains(Role.CONTROLLER) ? 1 : 0;
        admin.getConfiguration(Configurations.METADATA, ANY_BUNDLE)
                .update(FrameworkUtil.asDictionary(Map.of("controllerListeners.cardinality.minimum", controllers)));
        for (Role role : roles) {
            admin.getFactoryConfiguration(Configurations.ROLE, role.property(), ANY_BUNDLE)
                    .update(FrameworkUtil.asDictionary(targets(role)));
            String pid = role == Role.BROKER ? Configurations.BROKER : Configurations.CONTROLLER;
            Map<String, Object> properties = properties(role);
            properties.put("remoteLogs.cardinality.minimum", isRemoteStorageOn ? 1 : 0);
            admin.getConfiguration(pid, ANY_BUNDLE).update(FrameworkUtil.asDictionary(properties));
        }
        if (isRemoteStorageOn && roles.contains(Role.BROKER)) {
            admin.getConfiguration(Configurations.REMOTE_STORAGE, ANY_BUNDLE)
                    .update(FrameworkUtil.asDictionary(properties(Role.BROKER)));
        }
        return configurations;
    }

    private static Map<String, Object> properties(Role role) {
        return new HashMap<>(Map.of(Role.PROPERTY, role.property()));
    }

    private static Map<String, Object> targets(Role role) {
        Map<String, Object> properties = properties(role);
        for (String reference : Configurations.ROLE_REFERENCES) {
            properties.put(reference + ".target", "(" + Role.PROPERTY + "=" + role.property() + ")");
        }
        return properties;
    }

    @Override
    public void close() throws IOException {
        try {
            Configuration[] found = admin.listConfigurations(OURS);
            if (found != null) {
                for (Configuration configuration : found) {
                    configuration.delete();
                }
            }
        } catch (InvalidSyntaxException wrongFilter) {
            throw new IllegalStateException("filter=" + OURS, wrongFilter);
        }
    }
}
