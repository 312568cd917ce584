package io.gregor.shell.internal;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host and a port as an operator types them, and as Kafka spells them. Immutable.
 *
 * @param host empty for every address of the machine
 * @param port 0 for a free one
 */
public record Address(String host, int port) {
    private static final Pattern FORM = Pattern.compile("\\[?([0-9a-zA-Z\\-%._:]*?)]?:([0-9]{1,5})");
    private static final int HIGHEST_PORT = 65_535;

    /**
     * Reads {@code host:port}.
     *
     * @param name what the address is, for the message
     * @throws IllegalArgumentException if it is none
     */
    static Address of(String name, String typed) {
        Matcher parts = FORM.matcher(typed);
        if (parts.matches() && Integer.parseInt(parts.group(2)) <= HIGHEST_PORT) {
            return new Address(parts.group(1), Integer.parseInt(parts.group(2)));
        }
        throw new IllegalArgumentException(
                name + "=" + typed + " must be HOST:PORT with a port from 0 to 65535, for example 127.0.0.1:9094");
    }

    /** Whether it stands for every address of the machine in a way that Kafka tells nobody. */
    boolean isWildcard() {
        return host.equals("0.0.0.0") || host.equals("::");
    }

    /** As Kafka's keys have it. */
    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
