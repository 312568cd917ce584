package io.gregor.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PluginJarTest {
    @TempDir
    private Path directory;

    private Path classes;
    private Path deploy;

    @BeforeEach
    void makeDirectories() throws IOException {
        classes = Files.createDirectories(directory.resolve("classes"));
        deploy = Files.createDirectories(directory.resolve("home/deploy"));
        Files.createDirectories(classes.resolve("META-INF"));
    }

    @Test
    void packsClassesWithTheirManifestInFront() throws IOException {
        manifest("Bundle-SymbolicName: com.example.greeter; singleton:=true");
        Files.createDirectories(classes.resolve("com/example"));
        Files.writeString(classes.resolve("com/example/text"), "text");

        PluginJar plugin = PluginJar.of(classes);
        Path jar = plugin.copyTo(deploy);

        assertThat(plugin.name()).isEqualTo("com.example.greeter");
        assertThat(jar).isEqualTo(deploy.resolve("com.example.greeter.jar"));
        assertThat(PluginJar.of(jar).name()).isEqualTo("com.example.greeter");
        try (JarFile packed = new JarFile(jar.toFile())) {
            assertThat(packed.stream().map(ZipEntry::getName))
                    .containsExactly(JarFile.MANIFEST_NAME, "com/example/text");
        }
    }

    @Test
    void leavesNothingElseBesideDeploy() throws IOException {
        manifest("Bundle-SymbolicName: greeter");

        PluginJar.of(PluginJar.of(classes).copyTo(deploy)).copyTo(deploy);

        try (var files = Files.walk(directory.resolve("home"))) {
            assertThat(files.filter(Files::isRegularFile)).containsExactly(deploy.resolve("greeter.jar"));
        }
    }

    @Test
    void refusesWhatHasNoSymbolicName() throws IOException {
        manifest("Created-By: hand");

        assertThatThrownBy(() -> PluginJar.of(classes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bnd-maven-plugin");
    }

    private void manifest(String line) throws IOException {
        Files.writeString(classes.resolve(JarFile.MANIFEST_NAME), "Manifest-Version: 1.0\n" + line + "\n");
    }
}
