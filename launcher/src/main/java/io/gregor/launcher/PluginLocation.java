package io.gregor.launcher;

import org.osgi.framework.Bundle;

/** How the bundles of {@code deploy/} are told from those of the distribution. Immutable. */
final class PluginLocation {
    private static final String PREFIX = "plugin:";

    private PluginLocation() {}

    /** Whether it is one of {@code deploy/}. */
    static boolean isOf(Bundle bundle) {
        return String.valueOf(bundle.getLocation()).startsWith(PREFIX);
    }
}
