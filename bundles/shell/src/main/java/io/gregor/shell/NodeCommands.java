package io.gregor.shell;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeIdentity;
import io.gregor.internal.node.Role;
import io.gregor.internal.node.RoleReady;
import io.gregor.shell.internal.ByRole;
import io.gregor.shell.internal.Span;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.felix.service.command.Descriptor;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.apache.kafka.raft.RaftManager;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Commands about the node as a whole. Shared: any thread. */
@Component(service = NodeCommands.class, immediate = true)
@ShellScope(scope = "node", function = "show", example = "node:show")
public final class NodeCommands {
    private final NodeConfig config;
    private final NodeIdentity identity;
    private final String version;

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Map.Entry<Map<String, Object>, RoleReady>> ready = List.of();

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    volatile @Nullable RaftManager<?> raft;

    /** Made by the service registry. */
    @Activate
    public NodeCommands(@Reference NodeConfig config, @Reference NodeIdentity identity, BundleContext bundle) {
        this(config, identity, bundle.getBundle().getVersion().toString());
    }

    NodeCommands(NodeConfig config, NodeIdentity identity, String version) {
        this.config = config;
        this.identity = identity;
        this.version = version;
    }

    /** Shows it. */
    @Descriptor("this node: ids, roles, quorum leader, directories, process")
    public String show() {
        RuntimeMXBean process = ManagementFactory.getRuntimeMXBean();
        StringBuilder out = new StringBuilder();
        line(out, "node id", identity.nodeId());
        line(out, "cluster id", identity.clusterId());
        line(out, "roles", roles());
        line(out, "quorum leader", leader());
        line(out, "home", config.home());
        line(out, "log dirs", config.logDirs().stream().map(Path::toString).collect(Collectors.joining(", ")));
        line(out, "metadata log dir", config.metadataLogDir());
        line(out, "up", Span.text(process.getUptime()));
        line(out, "process", process.getPid() + ", Java " + process.getSpecVersion());
        line(out, "version", version);
        return out.toString().stripTrailing();
    }

    private String roles() {
        Map<String, RoleReady> byRole = ByRole.sorted(ready);
        return config.roles().stream()
                .map(Role::property)
                .sorted()
                .map(role -> role + (byRole.containsKey(role) ? " (ready)" : " (not ready)"))
                .collect(Collectors.joining(", "));
    }

    private String leader() {
        RaftManager<?> manager = raft;
        if (manager == null) {
            return "unknown: no Raft client";
        }
        LeaderAndEpoch leader = manager.client().leaderAndEpoch();
        return leader.leaderId().isPresent()
                ? leader.leaderId().getAsInt() + " (epoch " + leader.epoch() + ")"
                : "none (epoch " + leader.epoch() + ")";
    }

    private static void line(StringBuilder out, String name, Object value) {
        out.append(String.format("%-16s  %s%n", name, value));
    }
}
