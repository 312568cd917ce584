package io.gregor.node.internal;

import io.gregor.internal.node.SecretKeys;
import io.gregor.internal.node.SecretValues;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.server.config.DynamicBrokerConfig;
import org.jspecify.annotations.Nullable;

/**
 * Immutable. What the operator wrote: each key with its value as typed and the place it came from, which every refusal
 * names. An override wins over the file, the last override of a key over the others, and dynamic values over both. What a
 * config provider found counts in the place of what was typed, and is never shown.
 */
public final class Settings {
    private static final String OVERRIDE = "--override";
    private static final Pattern BEYOND_KEY = Pattern.compile("[^\\w.-].*", Pattern.DOTALL);

    private final Path file;
    private final Map<String, String> values;
    /** Of the keys that do not come from the file. */
    private final Map<String, String> origins;
    /** What config providers found for values as typed. */
    private final Map<String, String> provided;
    /** Both together. */
    private final Map<String, String> counting;

    private Settings(Path file, Map<String, String> values, Map<String, String> origins, Map<String, String> provided) {
        this.file = file;
        this.values = Map.copyOf(values);
        this.origins = Map.copyOf(origins);
        this.provided = Map.copyOf(provided);
        Map<String, String> both = new HashMap<>(values);
        both.putAll(provided);
        this.counting = Map.copyOf(both);
    }

    /** Reads a properties file and lays {@code key=value} overrides over it. */
    public static Settings read(Path file, List<String> overrides) {
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            properties.load(in);
        } catch (NoSuchFileException missing) {
            throw new StartRefused("config file not found: file=" + file + ", name an existing properties file");
        } catch (IOException | IllegalArgumentException unreadable) {
            throw new StartRefused("config file cannot be read: file=" + file + " reason=" + unreadable.getMessage()
                    + ", it must be a readable properties file (lines of key=value)");
        }
        Map<String, String> values = new TreeMap<>();
        properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key)));
        Map<String, String> origins = new HashMap<>();
        for (String override : overrides) {
            int equals = override.indexOf('=');
            if (equals < 1) {
                throw new StartRefused("--override " + beginning(override)
                        + " must be key=value, for example --override num.io.threads=8");
            }
            String key = override.substring(0, equals).strip();
            values.put(key, override.substring(equals + 1).strip());
            origins.put(key, OVERRIDE);
        }
        return new Settings(file, values, origins, Map.of());
    }

    /** What may be a key; what follows may be a secret. */
    private static String beginning(String override) {
        String key = BEYOND_KEY.matcher(override).replaceFirst("");
        return key.equals(override) ? key : key + SecretKeys.HIDDEN;
    }

    /**
     * Lays other values over these. As in Kafka, they also win over another spelling of the same setting below them: a
     * dynamic {@code log.retention.hours} over a {@code log.retention.ms} of the file.
     *
     * @param origin where the values come from, for refusals
     */
    Settings under(Map<String, String> layer, String origin) {
        if (layer.isEmpty()) {
            return this;
        }
        Map<String, String> merged = new HashMap<>(values);
        Map<String, String> mergedOrigins = new HashMap<>(origins);
        Map<String, String> stillProvided = new HashMap<>(provided);
        for (String key : layer.keySet()) {
            stillProvided.remove(key);
            for (String spelling : DynamicBrokerConfig.brokerConfigSynonyms(key, false)) {
                merged.remove(spelling);
                mergedOrigins.remove(spelling);
                stillProvided.remove(spelling);
            }
        }
        layer.forEach((key, value) -> {
            merged.put(key, value);
            mergedOrigins.put(key, origin);
        });
        return new Settings(file, merged, mergedOrigins, stillProvided);
    }

    /**
     * With what config providers find for {@code ${provider:path:key}}, looked up now, for what has not been looked up before. The
     * context class loader must find the providers' classes.
     *
     * @throws StartRefused if one leads nowhere
     */
    public Settings provided() {
        Map<String, String> found = new HashMap<>(provided);
        found.putAll(ConfigVariables.lookUp(this));
        return new Settings(file, values, origins, found);
    }

    /** The file that was read. */
    public Path file() {
        return file;
    }

    /** What counts, by key. */
    Map<String, String> values() {
        return counting;
    }

    /** What was typed, where no config provider has found anything for it. */
    Map<String, String> literals() {
        Map<String, String> literals = new TreeMap<>(values);
        literals.keySet().removeAll(provided.keySet());
        return literals;
    }

    /** The keys whose values config providers found. */
    Set<String> providedKeys() {
        return provided.keySet();
    }

    /** What is secret of it. */
    SecretValues secrets() {
        return SecretValues.of(values(), provided::containsKey);
    }

    /** The overrides that count, for the log. */
    List<String> overrides() {
        return origins.keySet().stream()
                .sorted()
                .map(key -> assignment(key, ""))
                .toList();
    }

    /** All that are set. */
    Set<String> keys() {
        return values.keySet();
    }

    boolean isSet(String key) {
        return values.containsKey(key);
    }

    /** Where the key's value comes from: the file, an override, a dynamic value, or Kafka's default. */
    String origin(String key) {
        return origins.getOrDefault(key, isSet(key) ? file.toString() : "default");
    }

    /**
     * A refusal because of one key: {@code key=value claim (origin)}.
     *
     * @param effective the value that counts, for a key that is not set
     * @param claim what would be right, following the value
     */
    StartRefused refusal(String key, @Nullable Object effective, String claim) {
        return new StartRefused(assignment(key, effective) + " " + claim + " (" + origin(key) + ")");
    }

    /** A refusal because of a key that is not set: {@code key is not set: claim (file)}. */
    StartRefused missing(String key, String claim) {
        return new StartRefused(key + " is not set: " + claim + " (" + file + ")");
    }

    /** The key with its value as typed, or the effective one where it is not set; secrets stay hidden. */
    String assignment(String key, @Nullable Object effective) {
        String typed = values.get(key);
        if (SecretKeys.isSecret(key) && !(typed != null && SecretValues.isReference(typed))) {
            return key + "=" + SecretKeys.HIDDEN;
        }
        return key + "=" + (typed == null ? shown(effective) : typed);
    }

    private static String shown(@Nullable Object value) {
        if (value == null) {
            return "";
        }
        return value instanceof List<?> list
                ? String.join(",", list.stream().map(String::valueOf).toList())
                : String.valueOf(value);
    }
}
