package io.gregor.node.internal;

import io.gregor.internal.node.NodeConfig;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the log what the operator has set; all values at DEBUG. Immutable. */
final class ChangedValues {
    private static final Logger LOGGER = LoggerFactory.getLogger(ChangedValues.class);

    private ChangedValues() {}

    static void log(Settings settings, NodeConfig config) {
        LOGGER.info(
                "configuration read: file={} home={} set: {}",
                settings.file(),
                config.home(),
                new TreeSet<>(settings.values().keySet())
                        .stream().map(key -> settings.assignment(key, "")).collect(Collectors.joining(", ")));
        if (LOGGER.isDebugEnabled()) {
            LOGGER.debug(
                    "all values: {}",
                    new TreeSet<>(config.values().values().keySet())
                            .stream()
                                    .map(key -> key + "="
                                            + (Settings.isSecret(key)
                                                    ? "[hidden]"
                                                    : config.values().values().get(key)))
                                    .collect(Collectors.joining(", ")));
        }
    }
}
