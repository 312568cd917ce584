package io.gregor.plugins.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.jar.Attributes;
import org.junit.jupiter.api.Test;

class BundleManifestTest {
    private final Attributes attributes = new Attributes();

    @Test
    void nameIsReadWithoutDirectives() throws RefusedJar {
        bundle("io.example.a; singleton:=true", "1.2.3.x");

        BundleManifest manifest = BundleManifest.of(attributes);

        assertThat(manifest.symbolicName()).isEqualTo("io.example.a");
        assertThat(manifest.version()).hasToString("1.2.3.x");
    }

    @Test
    void exportsAreReadAsNames() throws RefusedJar {
        bundle("a", "1");
        attributes.putValue("Export-Package", "x.y;z;version=\"[1,2)\";uses:=\"p,q\",r.s;mandatory:=\"a,b\"");

        assertThat(BundleManifest.of(attributes).exports()).containsExactly("r.s", "x.y", "z");
    }

    @Test
    void plainJarIsNoBundle() {
        assertThatThrownBy(() -> BundleManifest.of(attributes))
                .isInstanceOfSatisfying(
                        RefusedJar.class, why -> assertThat(why.line()).contains("no OSGi bundle", "bnd-maven-plugin"));
    }

    @Test
    void fragmentIsRefused() {
        bundle("a", "1");
        attributes.putValue("Fragment-Host", "io.gregor.node");

        assertThatThrownBy(() -> BundleManifest.of(attributes)).hasMessageContaining("fragment");
    }

    @Test
    void versionThatIsNoneIsRefused() {
        bundle("a", "one");

        assertThatThrownBy(() -> BundleManifest.of(attributes)).hasMessage("Bundle-Version=one is no version");
    }

    private void bundle(String name, String version) {
        attributes.putValue("Bundle-ManifestVersion", "2");
        attributes.putValue("Bundle-SymbolicName", name);
        attributes.putValue("Bundle-Version", version);
    }
}
