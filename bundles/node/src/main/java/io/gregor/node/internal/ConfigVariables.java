package io.gregor.node.internal;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigTransformer;
import org.apache.kafka.common.config.provider.ConfigProvider;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Values that stand elsewhere, {@code ${provider:path:key}} (KIP-297), as Kafka replaces them; one that leads nowhere is
 * refused, where Kafka goes on with the text as it is. Owned by the thread that reads the configuration.
 */
final class ConfigVariables implements AutoCloseable {
    private static final String PROVIDERS = AbstractConfig.CONFIG_PROVIDERS_CONFIG;
    private static final int PROVIDER = 1;
    private static final int PATH = 3;
    private static final int KEY = 4;

    private final Settings settings;
    private final Map<String, ConfigProvider> providers = new HashMap<>();

    private ConfigVariables(Settings settings) {
        this.settings = settings;
    }

    /** Whether something in a value stands elsewhere. */
    static boolean areIn(String value) {
        return ConfigTransformer.DEFAULT_PATTERN.matcher(value).find();
    }

    /**
     * Looks up what has not been looked up.
     *
     * @return the whole values of the keys in whose values something was replaced
     * @throws StartRefused with the key, what its value says, and what would be right
     */
    static Map<String, String> lookUp(Settings settings) {
        Map<String, String> open = new TreeMap<>(settings.literals());
        open.entrySet().removeIf(entry -> entry.getKey().startsWith(PROVIDERS) || !areIn(entry.getValue()));
        if (open.isEmpty() && !settings.isSet(PROVIDERS)) {
            return Map.of();
        }
        try (ConfigVariables variables = new ConfigVariables(settings)) {
            variables.makeProviders();
            Map<String, String> found = new HashMap<>();
            open.forEach((key, value) -> {
                String replaced = variables.replace(key, value);
                if (!replaced.equals(value)) {
                    found.put(key, replaced);
                }
            });
            return found;
        }
    }

    private void makeProviders() {
        for (String name : settings.values().getOrDefault(PROVIDERS, "").split(",", -1)) {
            if (!name.isBlank()) {
                providers.put(name.strip(), provider(name.strip()));
            }
        }
    }

    private ConfigProvider provider(String name) {
        String key = PROVIDERS + "." + name + ".class";
        String className = settings.values().get(key);
        if (className == null) {
            throw settings.missing(
                    key,
                    "it must be the class of the provider " + name + " that " + PROVIDERS
                            + " has, for example org.apache.kafka.common.config.provider.FileConfigProvider");
        }
        try {
            ConfigProvider made = Utils.newInstance(className.strip(), ConfigProvider.class);
            providers.put(name, made);
            made.configure(parameters(name));
            return made;
        } catch (ClassNotFoundException | LinkageError | RuntimeException fault) {
            throw settings.refusal(
                    key,
                    className,
                    "must name a class of Kafka's libraries or of a bundle in deploy/ that implements "
                            + ConfigProvider.class.getName() + " and takes its " + PROVIDERS + "." + name
                            + ".param.*: " + fault);
        }
    }

    private Map<String, String> parameters(String name) {
        String prefix = PROVIDERS + "." + name + ".param.";
        Map<String, String> parameters = new HashMap<>();
        settings.values().forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                parameters.put(key.substring(prefix.length()), value);
            }
        });
        return parameters;
    }

    private String replace(String key, String value) {
        Matcher variable = ConfigTransformer.DEFAULT_PATTERN.matcher(value);
        StringBuilder replaced = new StringBuilder();
        while (variable.find()) {
            ConfigProvider provider = providers.get(variable.group(PROVIDER));
            if (provider == null && KnownKeys.isKnown(key)) {
                throw refusal(
                        key,
                        variable.group(),
                        "names no provider of " + PROVIDERS + "="
                                + settings.values().getOrDefault(PROVIDERS, "") + ": add it there, with " + PROVIDERS
                                + "." + variable.group(PROVIDER) + ".class");
            }
            String found = provider == null ? variable.group() : find(provider, key, variable);
            variable.appendReplacement(replaced, Matcher.quoteReplacement(found));
        }
        return variable.appendTail(replaced).toString();
    }

    private String find(ConfigProvider provider, String key, Matcher variable) {
        String path = variable.group(PATH) == null ? "" : variable.group(PATH);
        String name = variable.group(KEY);
        @Nullable String found;
        try {
            found = provider.get(path, Set.of(name)).data().get(name);
        } catch (RuntimeException fault) {
            throw refusal(key, variable.group(), "cannot be looked up: " + fault.getMessage());
        }
        if (found == null) {
            String limits = PROVIDERS + "." + variable.group(PROVIDER) + ".param.*";
            throw refusal(
                    key,
                    variable.group(),
                    "leads to nothing: there must be " + name + (path.isEmpty() ? "" : " in " + path) + ", within what "
                            + limits + " allows");
        }
        return found;
    }

    private StartRefused refusal(String key, String variable, String claim) {
        boolean isAll = variable.equals(settings.literals().get(key));
        return settings.refusal(key, "", isAll ? claim : "has " + variable + ", which " + claim);
    }

    @Override
    public void close() {
        providers.forEach((name, provider) -> Utils.closeQuietly(provider, "config provider " + name));
    }
}
