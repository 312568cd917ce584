package io.gregor.plugins.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.gregor.internal.plugin.Plugins.State;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Version;

class ContendersTest {
    private final Contenders contenders = new Contenders("x");

    @Test
    void lastDroppedIsWantedWhateverItsVersion() {
        PluginBundle newer = add("a.jar", "2.0.0", 1);
        PluginBundle older = add("b.jar", "1.0.0", 2);

        assertThat(contenders.wanted()).containsSame(older);
        assertThat(contenders.inOrder()).containsExactly(older, newer);
    }

    @Test
    void orderOfArrivalDoesNotCountButThatOfDropping() {
        PluginBundle last = add("b.jar", "1.0.0", 2);
        add("a.jar", "2.0.0", 1);

        assertThat(contenders.wanted()).containsSame(last);
    }

    @Test
    void ofFilesDroppedAtOnceTheLastByNameIsWanted() {
        PluginBundle last = add("b.jar", "1.0.0", 1);
        add("a.jar", "2.0.0", 1);

        assertThat(contenders.wanted()).containsSame(last);
    }

    @Test
    void newContentOfAFileIsInFrontOfTheFormerAlsoAtTheSameTime() {
        contenders.serve(add("a.jar", "1.0.0", 1));

        PluginBundle next = add("a.jar", "2.0.0", 1);

        assertThat(contenders.wanted()).containsSame(next);
    }

    @Test
    void brokenOneIsPassedOver() {
        PluginBundle former = add("a.jar", "1.0.0", 1);
        PluginBundle broken = add("b.jar", "2.0.0", 2);

        broken.become(State.BROKEN, "why", 3);

        assertThat(contenders.wanted()).containsSame(former);
    }

    @Test
    void whatServesOutlivesItsFilesNewContentUntilThatServes() {
        PluginBundle former = add("a.jar", "1.0.0", 1);
        contenders.serve(former);

        PluginBundle next = add("a.jar", "2.0.0", 2);
        assertThat(contenders.inOrder()).containsExactly(next, former);
        assertThat(former.isOverwritten()).isTrue();

        next.become(State.BROKEN, "why", 3);
        assertThat(contenders.wanted()).containsSame(former);

        PluginBundle third = add("a.jar", "3.0.0", 4);
        contenders.serve(third);
        assertThat(contenders.inOrder()).containsExactly(third);
    }

    @Test
    void whatIsBehindIsForgottenWithItsContent() {
        add("a.jar", "1.0.0", 1);
        PluginBundle serving = add("b.jar", "1.1.0", 2);
        contenders.serve(serving);

        PluginBundle next = add("a.jar", "2.0.0", 3);

        assertThat(contenders.inOrder()).containsExactly(next, serving);
    }

    @Test
    void fileThatIsGoneTakesAllWithItThatItHeld() {
        PluginBundle behind = add("b.jar", "0.9.0", 1);
        PluginBundle former = add("a.jar", "1.0.0", 2);
        contenders.serve(former);
        add("a.jar", "2.0.0", 3).become(State.BROKEN, "why", 3);

        contenders.remove(Path.of("a.jar"));

        assertThat(contenders.wanted()).containsSame(behind);
        assertThat(former.isFileGone()).isTrue();
        assertThat(contenders.serving()).isSameAs(former);
    }

    @Test
    void isEmptyWhenNothingServesAnyMore() {
        contenders.serve(add("a.jar", "1.0.0", 1));
        contenders.remove(Path.of("a.jar"));
        assertThat(contenders.isEmpty()).isFalse();

        contenders.serve(null);

        assertThat(contenders.isEmpty()).isTrue();
    }

    private PluginBundle add(String file, String version, long dropOrder) {
        BundleManifest manifest = new BundleManifest("x", Version.parseVersion(version), Set.of());
        PluginBundle added = PluginBundle.ofJar(manifest, Path.of(file), dropOrder, 0);
        contenders.add(added);
        return added;
    }
}
