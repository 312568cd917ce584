package io.gregor.testsupport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class DeployedPluginIT {
    private static final Path ECHO =
            Path.of("..", "..", "launcher", "target", "gregor", "examples", "example-echo.jar");
    private static final int ECHO_KEY = 10_000;

    @RegisterExtension
    static final GregorNode NODE = GregorNode.builder().plugin(ECHO).build();

    @Test
    void pluginServesFromTheStartIsReplacedAndGoes() {
        assertThat(echo("start")).isEqualTo("start");

        String name = NODE.deploy(ECHO);
        assertThat(echo("replaced")).isEqualTo("replaced");

        NODE.remove(name);
        NODE.awaitNotServed(ECHO_KEY);

        NODE.deploy(ECHO);
        NODE.awaitServed(ECHO_KEY);
    }

    @Test
    void brokenPluginFailsTheTestWithItsReason(@TempDir Path classes) throws IOException {
        Files.createDirectories(classes.resolve("META-INF"));
        Files.writeString(
                classes.resolve("META-INF/MANIFEST.MF"),
                """
                Manifest-Version: 1.0
                Bundle-ManifestVersion: 2
                Bundle-SymbolicName: broken
                Import-Package: com.example.missing
                """);

        assertThatThrownBy(() -> NODE.deploy(classes))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("com.example.missing");
    }

    private static String echo(String text) {
        try (ApiClient client = NODE.connect()) {
            return UTF_8.decode(client.call(ECHO_KEY, 0, UTF_8.encode(text))).toString();
        }
    }
}
