package io.gregor.plugins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;

class BundleClassesTest {
    @TempDir
    Path folder;

    private final DeployedBundles deployed = new DeployedBundles();
    private final BundleClasses classes = new BundleClasses(deployed);

    @Test
    void findsKafkasOwnClasses() throws Exception {
        assertThat(Class.forName(Utils.class.getName(), true, classes.loader())).isSameAs(Utils.class);
    }

    @Test
    void findsAClassInTheNewestBundleThatHasIt() throws Exception {
        Bundle without = CompiledBundle.empty();
        Bundle newer = CompiledBundle.of(folder, "A", "public class A {}");
        Bundle older = CompiledBundle.of(folder, "A", "public class A {}");
        deployed.replace(List.of(without, newer, older));

        assertThat(Class.forName("plug.A", true, classes.loader()).getClassLoader())
                .isSameAs(newer.loadClass("plug.A").getClassLoader());
    }

    @Test
    void findsAnotherClassByTheSameNameWhenABundleIsReplaced() throws Exception {
        Bundle former = CompiledBundle.of(folder, "A", "public class A {}");
        deployed.replace(List.of(former));
        Class<?> first = Class.forName("plug.A", true, classes.loader());
        Bundle next = CompiledBundle.of(folder, "A", "public class A {}");

        deployed.replace(List.of(next, former));

        assertThat(Class.forName("plug.A", true, classes.loader())).isNotSameAs(first);
    }

    @Test
    void keepsTheLoaderWhileTheBundlesAreTheSame() {
        deployed.replace(List.of(CompiledBundle.empty()));

        assertThat(classes.loader()).isSameAs(classes.loader());
    }

    @Test
    void aClassThatIsNowhereIsNotFound() {
        assertThatThrownBy(() -> Class.forName("plug.B", true, classes.loader()))
                .isInstanceOf(ClassNotFoundException.class);
    }
}
