package io.gregor.testsupport;

import io.gregor.launcher.EmbeddedNode;
import io.gregor.launcher.EmbeddedNode.Answer;
import java.util.regex.Pattern;

/**
 * Where a plugin is, as the node tells. Immutable.
 *
 * @param text all that the shell tells of it, one paragraph for each of its versions; empty if the node knows none
 * @param bundleId the newest bundle of it, -1 if there is none
 */
record PluginState(String text, long bundleId) {
    private static final Pattern LIVE = Pattern.compile("(?m)^state\\s+live");
    private static final Pattern BROKEN = Pattern.compile("(?m)^state\\s+broken");

    static PluginState of(EmbeddedNode node, String name) {
        Answer answer = node.shell("plugin:show " + name);
        return new PluginState(answer.status() == 0 ? answer.output() : "", node.newestBundle(name));
    }

    boolean isKnown() {
        return !text.isEmpty();
    }

    boolean isLive() {
        return LIVE.matcher(text).find();
    }

    boolean isBroken() {
        return BROKEN.matcher(text).find();
    }

    /** Whether it can be told what has become of a jar that was deployed when the state was {@code before}. */
    boolean isSettled(PluginState before) {
        return isBroken() ? !text.equals(before.text) : isLive() && bundleId > before.bundleId;
    }
}
