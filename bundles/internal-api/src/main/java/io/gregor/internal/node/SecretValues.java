package io.gregor.internal.node;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigTransformer;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/**
 * The secrets of one configuration, to be taken out of what somebody else says of it: Kafka's exceptions, a plugin's, the
 * JDK's. Those are the values of {@link SecretKeys secret keys}, what config providers found, the passwords within JAAS
 * configurations and the lines of keys. Shorter ones than {@value #SHORTEST} characters cannot be told from other words; those
 * shorter than {@value #LONG} count as whole words only. Immutable; any thread.
 */
public final class SecretValues {
    /** Without any. */
    public static final SecretValues NONE = new SecretValues(Set.of());

    private static final int SHORTEST = 4;
    private static final int LONG = 8;
    private static final int DEEPEST_CAUSE = 20;
    private static final Pattern OPTION =
            Pattern.compile("([^\\s=;\"]+)\\s*=\\s*(\"(?:[^\"\\\\]|\\\\.)*\"?|[^\\s;]+)", Pattern.DOTALL);
    private static final Pattern BETWEEN_WORDS = Pattern.compile("[\\s;\"'=]+");
    private static final Pattern SHOWN_OPTION = Pattern.compile(
            "username|principal|servicename|keytab|clientid|.*claim.*|.*scope.*|usekeytab|useticketcache|storekey|debug|tokenauth");

    private final Set<String> secrets;
    private final Pattern pattern;

    private SecretValues(Set<String> secrets) {
        this.secrets = Set.copyOf(secrets);
        this.pattern = Pattern.compile(secrets.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(SecretValues::expression)
                .collect(Collectors.joining("|")));
    }

    /**
     * Those of these settings.
     *
     * @param values by key, as text or as {@link Password}
     * @param isProvided whether a config provider found the value of a key
     */
    public static SecretValues of(Map<String, ?> values, Predicate<String> isProvided) {
        Set<String> secrets = new HashSet<>();
        values.forEach((key, value) -> {
            boolean isSecret = value instanceof Password || SecretKeys.isSecret(key);
            String text = value instanceof Password password ? password.value() : String.valueOf(value);
            if (isReference(text)) {
                return;
            }
            if (isSecret) {
                add(secrets, key, text);
            } else if (isProvided.test(key) && text.length() >= LONG) {
                secrets.add(text);
            }
        });
        return secrets.isEmpty() ? NONE : new SecretValues(secrets);
    }

    /** Whether all of a value stands elsewhere, with a config provider: it can be shown then. */
    public static boolean isReference(String value) {
        return value.startsWith("${")
                && value.indexOf('}') == value.length() - 1
                && ConfigTransformer.DEFAULT_PATTERN.matcher(value).matches();
    }

    /** Those of a node's whole configuration. */
    public static SecretValues of(NodeConfig config) {
        return of(config.values().originals(), config::isProvided);
    }

    /** These and the others. */
    public SecretValues and(SecretValues others) {
        Set<String> all = new HashSet<>(secrets);
        all.addAll(others.secrets);
        return all.isEmpty() ? NONE : new SecretValues(all);
    }

    /** The text with {@value SecretKeys#HIDDEN} in the place of each secret. */
    public String hiddenIn(String text) {
        return secrets.isEmpty() ? text : pattern.matcher(text).replaceAll(Matcher.quoteReplacement(SecretKeys.HIDDEN));
    }

    /** A fault to be logged: itself, or one that looks like it, without secrets in what it and its causes say. */
    public Throwable hiddenIn(Throwable fault) {
        boolean isToBeHidden = chain(fault).stream().anyMatch(one -> {
            String said = one.toString();
            return !hiddenIn(said).equals(said);
        });
        return isToBeHidden ? new Retold(this, fault, 0) : fault;
    }

    private static List<Throwable> chain(Throwable fault) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable one = fault; one != null && chain.size() < DEEPEST_CAUSE; one = one.getCause()) {
            chain.add(one);
        }
        return chain;
    }

    private static void add(Set<String> secrets, String key, String value) {
        addIfLong(secrets, value.strip(), SHORTEST);
        value.lines().forEach(line -> addIfLong(secrets, line.strip(), 2 * LONG));
        if (key.endsWith(SaslConfigs.SASL_JAAS_CONFIG)) {
            addOptions(secrets, value);
        }
    }

    /** The options of login modules, also where quotes are missing. */
    private static void addOptions(Set<String> secrets, String jaas) {
        Matcher option = OPTION.matcher(jaas);
        while (option.find()) {
            if (!SHOWN_OPTION.matcher(option.group(1).toLowerCase(Locale.ROOT)).matches()) {
                String raw = option.group(2);
                String value = raw.startsWith("\"") ? raw.substring(1).replaceAll("\"$", "") : raw;
                addIfLong(secrets, value, SHORTEST);
                addIfLong(secrets, value.replaceAll("\\\\(.)", "$1"), SHORTEST);
                BETWEEN_WORDS.splitAsStream(value).forEach(word -> addIfLong(secrets, word, LONG));
            }
        }
    }

    private static void addIfLong(Set<String> secrets, String value, int least) {
        boolean isBorder = value.startsWith("-----");
        if (value.length() >= least && !isBorder) {
            secrets.add(value);
        }
    }

    private static String expression(String secret) {
        String itself = Pattern.quote(secret);
        return secret.length() < LONG ? "(?<![\\p{L}\\p{N}])" + itself + "(?![\\p{L}\\p{N}])" : itself;
    }

    /** Looks like the fault that it is told after. */
    private static final class Retold extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final String said;

        private Retold(SecretValues secrets, Throwable fault, int depth) {
            super(secrets.hiddenIn(String.valueOf(fault.getMessage())), cause(secrets, fault, depth));
            said = secrets.hiddenIn(fault.toString());
            setStackTrace(fault.getStackTrace());
        }

        private static @Nullable Throwable cause(SecretValues secrets, Throwable fault, int depth) {
            Throwable cause = fault.getCause();
            return cause == null || depth == DEEPEST_CAUSE ? null : new Retold(secrets, cause, depth + 1);
        }

        /** Begins with the name of the other's class. */
        @Override
        @SuppressWarnings("OverrideThrowableToString")
        public String toString() {
            return said;
        }
    }
}
