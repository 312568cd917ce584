package io.gregor.testsupport;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a {@link GregorNode} is to be like. Owned by the test's thread. */
public final class GregorNodeBuilder {
    private final Map<String, String> config = new LinkedHashMap<>();
    private final List<Supplier<PluginJar>> plugins = new ArrayList<>();
    private Duration limit = Duration.ofSeconds(60);
    private @Nullable Path home;

    GregorNodeBuilder() {}

    /**
     * A value of the node's configuration, in front of those of the distribution's {@code server.properties}.
     *
     * @param key as in {@code server.properties}; not {@code listeners}
     */
    public GregorNodeBuilder config(String key, String value) {
        config.put(key, value);
        return this;
    }

    /**
     * A plugin that is there when the node starts.
     *
     * @param path a jar, or a directory with the content of one, as {@code target/classes}; looked at when the node starts
     */
    public GregorNodeBuilder plugin(Path path) {
        plugins.add(() -> PluginJar.of(path));
        return this;
    }

    /** The same with the one jar in {@code target}, which the build of this project has made. */
    public GregorNodeBuilder projectPlugin() {
        plugins.add(PluginJar::ofProject);
        return this;
    }

    /** A home that is kept; its path is shorter than about 90 characters. Without it a temporary one is made and deleted. */
    public GregorNodeBuilder home(Path directory) {
        home = directory;
        return this;
    }

    /** After which waiting has failed, a minute if nothing is said; build machines may be slow and shared. */
    public GregorNodeBuilder limit(Duration duration) {
        limit = duration;
        return this;
    }

    /** The node, not started yet. */
    public GregorNode build() {
        return new GregorNode(this);
    }

    List<PluginJar> plugins() {
        return plugins.stream().map(Supplier::get).toList();
    }

    Map<String, String> config() {
        return config;
    }

    Duration limit() {
        return limit;
    }

    @Nullable
    Path home() {
        return home;
    }
}
