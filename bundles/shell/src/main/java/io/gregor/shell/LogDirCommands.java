package io.gregor.shell;

import io.gregor.internal.storage.LogDirectories;
import io.gregor.shell.internal.Table;
import java.util.List;
import org.apache.felix.service.command.Descriptor;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Commands about log directories. Shared: any thread. */
@Component(service = LogDirCommands.class, immediate = true)
@ShellScope(scope = "log-dir", function = "list", example = "log-dir:list state=failed")
public final class LogDirCommands {
    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    volatile @Nullable LogDirectories directories;

    /** Lists them. */
    @Descriptor("log directories of the broker: id, state, partitions, bytes, and how many partitions move into them")
    public String list(@Descriptor("column=text, column~part of it, or a part of any column") String... filters) {
        LogDirectories present = directories;
        if (present == null) {
            throw new IllegalArgumentException(
                    "no log directories: this node has no broker that is ready, see node:show");
        }
        Table table = new Table("PATH", "ID", "STATE", "PARTITIONS", "BYTES", "MOVING-IN");
        present.rows()
                .forEach(row -> table.add(
                        row.path(),
                        row.id().map(Uuid::toString).orElse("-"),
                        row.state(),
                        row.partitions(),
                        row.bytes(),
                        row.futures()));
        return table.matching(List.of(filters)).draw();
    }
}
