package io.gregor.plugins.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SignatureRuleTest {
    private static final String PASSWORD = "secret";

    @TempDir
    static Path keys;

    @TempDir
    Path folder;

    /** A certificate authority, whom it vouches for, somebody else; what the operator trusts has the first only. */
    @BeforeAll
    static void makeKeys() throws Exception {
        keytool("own.p12", "-genkeypair", "-alias", "ca", "-keyalg", "EC", "-dname", "CN=ca", "-ext", "bc:c");
        keytool("own.p12", "-genkeypair", "-alias", "dev", "-keyalg", "EC", "-dname", "CN=dev", "-signer", "ca");
        keytool(
                "own.p12",
                "-exportcert",
                "-alias",
                "ca",
                "-file",
                keys.resolve("ca.der").toString());
        keytool(
                "own.p12",
                "-exportcert",
                "-rfc",
                "-alias",
                "ca",
                "-file",
                keys.resolve("ca.pem").toString());
        keytool(
                "trust.p12",
                "-importcert",
                "-noprompt",
                "-alias",
                "ca",
                "-file",
                keys.resolve("ca.der").toString());
        keytool("other.p12", "-genkeypair", "-alias", "dev", "-keyalg", "EC", "-dname", "CN=other");
    }

    @Test
    void anyJarPassesWithoutAStore() throws Exception {
        SignatureRule rule = rule(Map.of());

        assertThat(rule.fault()).isEmpty();
        assertThatCode(() -> rule.check().check(jar())).doesNotThrowAnyException();
    }

    @Test
    void aJarPassesThatIsSignedByWhomTheStoreVouchesFor() throws Exception {
        Path jar = signed(jar(), "own.p12");

        assertThatCode(() -> trusting().check().check(jar)).doesNotThrowAnyException();
    }

    @Test
    void aJarPassesThatACertificateOfTheStoreSigned() throws Exception {
        Path jar = signed(jar(), "other.p12");

        assertThatCode(() -> rule(store("other.p12", "PKCS12")).check().check(jar))
                .doesNotThrowAnyException();
    }

    @Test
    void theStoreMayBePem() throws Exception {
        Path jar = signed(jar(), "own.p12");

        assertThatCode(() -> rule(store("ca.pem", "PEM")).check().check(jar)).doesNotThrowAnyException();
    }

    @Test
    void refusesAJarThatIsNotSigned() throws Exception {
        Path jar = jar();

        assertThatThrownBy(() -> trusting().check().check(jar))
                .isInstanceOf(RefusedJar.class)
                .hasMessage("it is not signed: entry=a/B.class")
                .extracting(refused -> ((RefusedJar) refused).advice())
                .asString()
                .contains("jarsigner", "gregor.plugin.truststore.location=" + keys.resolve("trust.p12"));
    }

    @Test
    void refusesAJarThatSomebodyElseSigned() throws Exception {
        Path jar = signed(jar(), "other.p12");

        assertThatThrownBy(() -> trusting().check().check(jar))
                .isInstanceOf(RefusedJar.class)
                .hasMessageStartingWith("it is signed by somebody whom gregor.plugin.truststore.location=");
    }

    @Test
    void refusesAJarToWhichAnEntryWasAdded() throws Exception {
        Path jar = signed(jar(), "own.p12");
        write(jar, "a/C.class", "more");

        assertThatThrownBy(() -> trusting().check().check(jar))
                .isInstanceOf(RefusedJar.class)
                .hasMessage("it is not signed: entry=a/C.class");
    }

    @Test
    void refusesAJarWhoseEntryWasChanged() throws Exception {
        Path jar = signed(jar(), "own.p12");
        write(jar, "a/B.class", "changed");

        assertThatThrownBy(() -> trusting().check().check(jar))
                .isInstanceOf(RefusedJar.class)
                .hasMessageStartingWith("its signature does not fit its content: ");
    }

    @Test
    void refusesAJarWhoseManifestWasChanged() throws Exception {
        Path jar = signed(jar(), "own.p12");
        String manifest = read(jar, "META-INF/MANIFEST.MF");
        write(jar, "META-INF/MANIFEST.MF", manifest.replace("plain", "other"));

        assertThatThrownBy(() -> trusting().check().check(jar)).isInstanceOf(RefusedJar.class);
    }

    @Test
    void noJarPassesWithAStoreThatCannotBeUsed() throws Exception {
        SignatureRule rule = rule(Map.of("gregor.plugin.truststore.location", "/nowhere/x.p12"));

        assertThat(rule.fault())
                .startsWith("gregor.plugin.truststore.location=/nowhere/x.p12 cannot be used as a store");
        assertThatThrownBy(() -> rule.check().check(jar())).isInstanceOf(RefusedJar.class);
    }

    @Test
    void saysThatThePasswordIsWrongAndNotWhichItIs() throws Exception {
        Map<String, String> lines = new HashMap<>(store("trust.p12", "PKCS12"));
        lines.put("gregor.plugin.truststore.password", "guessed");

        assertThat(rule(lines).fault())
                .contains("gregor.plugin.truststore.password")
                .doesNotContain("guessed");
    }

    private SignatureRule trusting() {
        return rule(store("trust.p12", "PKCS12"));
    }

    private static Map<String, String> store(String file, String type) {
        return Map.of(
                "gregor.plugin.truststore.location",
                keys.resolve(file).toString(),
                "gregor.plugin.truststore.password",
                PASSWORD,
                "gregor.plugin.truststore.type",
                type);
    }

    /** Half of the lines in the file, the other half as overrides. */
    private SignatureRule rule(Map<String, String> lines) {
        Map<String, String> framework = new HashMap<>();
        Path file = folder.resolve("server.properties");
        List<String> inFile = new ArrayList<>(List.of("node.id=1"));
        lines.forEach((key, value) -> {
            if (key.endsWith("location")) {
                inFile.add(key + "=" + value);
            } else {
                framework.put("gregor.override." + framework.size(), key + " = " + value);
            }
        });
        try {
            Files.write(file, inFile);
        } catch (IOException fault) {
            throw new AssertionError(fault);
        }
        framework.put("gregor.config.file", file.toString());
        return SignatureRule.of(framework::get);
    }

    private Path jar() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Bundle-SymbolicName", "plain");
        Path file = folder.resolve("plain.jar");
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out, manifest)) {
            jar.putNextEntry(new JarEntry("a/B.class"));
            jar.write("content".getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }

    private static Path signed(Path jar, String store) throws Exception {
        run(List.of(
                tool("jarsigner"),
                "-keystore",
                keys.resolve(store).toString(),
                "-storepass",
                PASSWORD,
                jar.toString(),
                "dev"));
        return jar;
    }

    private static String read(Path jar, String entry) throws IOException {
        try (FileSystem files = open(jar)) {
            return Files.readString(files.getPath(entry));
        }
    }

    private static void write(Path jar, String entry, String content) throws IOException {
        try (FileSystem files = open(jar)) {
            Files.writeString(files.getPath(entry), content);
        }
    }

    private static FileSystem open(Path jar) throws IOException {
        return FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of());
    }

    private static void keytool(String store, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(tool("keytool")));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keystore", keys.resolve(store).toString(), "-storepass", PASSWORD));
        run(command);
    }

    private static String tool(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    private static void run(List<String> command) throws Exception {
        Path said = Files.createTempFile(keys, "said", "");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(process.waitFor()).as(Files.readString(said)).isZero();
    }
}
