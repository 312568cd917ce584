package io.gregor.node.internal;

import io.gregor.internal.node.NodeConfig;
import io.gregor.internal.node.NodeIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.metadata.properties.MetaProperties;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble.VerificationFlag;
import org.apache.kafka.metadata.properties.MetaPropertiesVersion;
import org.apache.kafka.metadata.properties.PropertiesUtils;
import org.apache.kafka.storage.internals.log.LocalLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's directories on disk and what their {@code meta.properties} say. Owned by the thread that starts the node.
 * What is not this node's is refused before anything is written.
 */
final class LogDirectories {
    private static final Logger LOGGER = LoggerFactory.getLogger(LogDirectories.class);
    private static final String LOST_AND_FOUND = "lost+found";
    private static final int NAMED_ENTRIES = 3;

    private final NodeConfig config;
    private final Path configFile;
    private final Set<Path> directories;

    LogDirectories(NodeConfig config, Path configFile) {
        this.config = config;
        this.configFile = configFile;
        this.directories = new LinkedHashSet<>(config.logDirs());
        directories.add(config.metadataLogDir());
    }

    /** Formats a single node's empty directories, checks all, and says who the node is. */
    NodeIdentity open() {
        refuseForeign();
        if (directories.stream().noneMatch(LogDirectories::isFormatted)) {
            new FirstFormat(config, configFile, directories).run();
        }
        MetaPropertiesEnsemble ensemble = load();
        refuseUnreadable(ensemble);
        refuseUnformatted(ensemble);
        verify(ensemble);
        refuseStrayMetadata(ensemble);
        return identity(withDirectoryIds(ensemble));
    }

    private static boolean isFormatted(Path directory) {
        return Files.exists(directory.resolve(MetaPropertiesEnsemble.META_PROPERTIES_NAME));
    }

    /** A directory that holds something but was never formatted belongs to somebody else. */
    private void refuseForeign() {
        for (Path directory : directories) {
            if (isFormatted(directory) || !Files.exists(directory)) {
                continue;
            }
            if (hasFailed(directory)) {
                continue;
            }
            if (!Files.isDirectory(directory)) {
                throw new StartRefused(
                        "log directory is not a directory: log.dirs has " + directory + " (" + configFile + ")");
            }
            Set<String> entries = entries(directory);
            if (!entries.isEmpty()) {
                throw new StartRefused("log directory is not empty and has no meta.properties: directory=" + directory
                        + " holds " + entries.stream().limit(NAMED_ENTRIES).toList()
                        + (entries.size() > NAMED_ENTRIES ? " and " + (entries.size() - NAMED_ENTRIES) + " more" : "")
                        + ", it is left untouched: restore its meta.properties, name another directory in log.dirs, or"
                        + " empty it (" + configFile + ")");
            }
        }
    }

    /** Whether it cannot be one that is new or foreign: it is no readable directory, and the node has its metadata in another. */
    private boolean hasFailed(Path directory) {
        return !(Files.isDirectory(directory) && Files.isReadable(directory))
                && !directory.equals(config.metadataLogDir())
                && isFormatted(config.metadataLogDir());
    }

    private static Set<String> entries(Path directory) {
        try (Stream<Path> found = Files.list(directory)) {
            Set<String> names = new TreeSet<>();
            found.map(path -> String.valueOf(path.getFileName()))
                    .filter(name -> !name.equals(LOST_AND_FOUND))
                    .forEach(names::add);
            return names;
        } catch (IOException unreadable) {
            throw new StartRefused("log directory cannot be read: directory=" + directory + " reason=" + unreadable);
        }
    }

    private MetaPropertiesEnsemble load() {
        try {
            return new MetaPropertiesEnsemble.Loader()
                    .addMetadataLogDir(config.metadataLogDir().toString())
                    .addLogDirs(config.logDirs().stream().map(Path::toString).toList())
                    .load();
        } catch (IOException fault) {
            throw new StartRefused("log directories cannot be read: " + fault);
        }
    }

    /**
     * A failed disk among several is Kafka's business later, it goes offline; the metadata directory's own failure and a
     * file that can be read but makes no sense end the start.
     */
    private void refuseUnreadable(MetaPropertiesEnsemble ensemble) {
        for (String directory : ensemble.errorLogDirs()) {
            Path file = Path.of(directory, MetaPropertiesEnsemble.META_PROPERTIES_NAME);
            String reason;
            boolean isDamaged = true;
            try {
                new MetaProperties.Builder(PropertiesUtils.readPropertiesFile(file.toString())).build();
                reason = "it changed while it was read";
            } catch (IOException fault) {
                isDamaged = false;
                reason = fault.toString();
            } catch (RuntimeException fault) {
                reason = String.valueOf(fault.getMessage());
            }
            if (isDamaged || Path.of(directory).equals(config.metadataLogDir())) {
                throw new StartRefused("log directory is damaged: file=" + file + " reason=" + reason
                        + ", it is left untouched: restore the file from another log directory of this node"
                        + " (directory.id is different in each) or take the directory out of log.dirs (" + configFile
                        + ")");
            }
            LOGGER.error("log directory is offline: directory={} reason={}", directory, reason);
        }
    }

    private void refuseUnformatted(MetaPropertiesEnsemble ensemble) {
        if (ensemble.emptyLogDirs().isEmpty()) {
            return;
        }
        String clusterId = ensemble.clusterId().orElse("CLUSTER_ID");
        throw new StartRefused("log directory is not formatted while others are: directories="
                + new TreeSet<>(ensemble.emptyLogDirs()) + ", format it with: "
                + FirstFormat.command(clusterId, configFile) + " --ignore-formatted");
    }

    private void verify(MetaPropertiesEnsemble ensemble) {
        for (Map.Entry<String, MetaProperties> entry : ensemble.logDirProps().entrySet()) {
            MetaProperties properties = entry.getValue();
            if (properties.version() == MetaPropertiesVersion.V0) {
                throw foreign("it was written by a broker with ZooKeeper, in " + entry.getKey());
            }
            if (properties.nodeId().isPresent() && properties.nodeId().getAsInt() != config.nodeId()) {
                throw foreign("it is node " + properties.nodeId().getAsInt() + "'s, in " + entry.getKey()
                        + ", and node.id=" + config.nodeId());
            }
        }
        try {
            ensemble.verify(
                    Optional.empty(),
                    OptionalInt.of(config.nodeId()),
                    EnumSet.of(VerificationFlag.REQUIRE_AT_LEAST_ONE_VALID, VerificationFlag.REQUIRE_METADATA_LOG_DIR));
        } catch (RuntimeException fault) {
            throw foreign(String.valueOf(fault.getMessage()));
        }
        if (!Files.isWritable(config.metadataLogDir())) {
            throw new StartRefused("log directory cannot be written: directory=" + config.metadataLogDir()
                    + ", it must be writable for user " + System.getProperty("user.name"));
        }
    }

    private StartRefused foreign(String reason) {
        return new StartRefused("log directory does not belong to this node: " + reason
                + ", it is left untouched: name the right directories in log.dirs, or the right node.id (" + configFile
                + ")");
    }

    private void refuseStrayMetadata(MetaPropertiesEnsemble ensemble) {
        String name = LocalLog.logDirName(Topic.CLUSTER_METADATA_TOPIC_PARTITION);
        for (String directory : ensemble.logDirProps().keySet()) {
            Path metadata = Path.of(directory, name);
            if (!Path.of(directory).equals(config.metadataLogDir()) && Files.exists(metadata)) {
                throw new StartRefused(
                        "metadata log in a directory that is not the metadata directory: found=" + metadata
                                + " metadata.log.dir=" + config.metadataLogDir()
                                + ", name in metadata.log.dir the directory that has it (" + configFile + ")");
            }
        }
    }

    /** Directories that older versions formatted get an id of their own. */
    private static MetaPropertiesEnsemble withDirectoryIds(MetaPropertiesEnsemble ensemble) {
        MetaPropertiesEnsemble.Copier copier = new MetaPropertiesEnsemble.Copier(ensemble);
        copier.setPreWriteHandler(
                (directory, isNew, properties) -> LOGGER.info("rewriting meta.properties: directory={}", directory));
        ensemble.logDirProps().forEach((directory, properties) -> {
            MetaProperties.Builder builder = new MetaProperties.Builder(properties);
            if (builder.directoryId().isEmpty()) {
                builder.setDirectoryId(copier.generateValidDirectoryId());
            }
            copier.setLogDirProps(directory, builder.build());
        });
        try {
            copier.writeLogDirChanges();
        } catch (IOException fault) {
            throw new StartRefused("meta.properties cannot be written: " + fault);
        }
        return copier.copy();
    }

    private NodeIdentity identity(MetaPropertiesEnsemble ensemble) {
        Map<String, Uuid> ids = new HashMap<>();
        ensemble.logDirProps()
                .forEach((directory, properties) ->
                        ids.put(directory, properties.directoryId().orElseThrow()));
        Uuid metadataId = ids.get(config.metadataLogDir().toString());
        if (metadataId == null) {
            throw foreign("its metadata directory has no meta.properties");
        }
        return new NodeIdentity(config.nodeId(), ensemble.clusterId().orElseThrow(), metadataId, Map.copyOf(ids));
    }

    /** All directories of a configuration, in Kafka's order for formatting. */
    static List<String> sorted(NodeConfig config) {
        Set<String> all = new TreeSet<>();
        config.logDirs().forEach(directory -> all.add(directory.toString()));
        all.add(config.metadataLogDir().toString());
        return List.copyOf(all);
    }
}
