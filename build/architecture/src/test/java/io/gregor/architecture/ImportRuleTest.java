package io.gregor.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A bundle imports engine, api, internal-api, libraries and itself; never another bundle of ours. */
class ImportRuleTest {
    private static final String API = "io.gregor.api..";
    private static final String INTERNAL_API = "io.gregor.internal..";
    private static final Path BUNDLES = Path.of("..", "..", "bundles");
    private static JavaClasses product;

    @BeforeAll
    static void readTheProduct() throws IOException {
        List<Path> jars;
        try (Stream<Path> folders = Files.list(BUNDLES)) {
            jars = folders.filter(folder -> !folder.endsWith("engine"))
                    .flatMap(folder -> jar(folder).stream())
                    .toList();
        }
        product = new ClassFileImporter().importPaths(jars);
    }

    static List<String> bundles() throws IOException {
        try (Stream<Path> folders = Files.list(BUNDLES)) {
            return folders.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .map(folder -> folder.getFileName().toString())
                    .filter(name -> !List.of("engine", "api", "internal-api").contains(name))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("bundles")
    void bundleImportsNoOtherBundleOfOurs(String bundle) {
        String own = packageOf(bundle) + "..";

        assertThat(product.that(resideInAPackage(own))).as("classes of %s", bundle).isNotEmpty();
        noClasses()
                .that()
                .resideInAPackage(own)
                .should()
                .dependOnClassesThat(
                        resideInAPackage("io.gregor..").and(resideOutsideOfPackages(own, API, INTERNAL_API)))
                .check(product);
    }

    @Test
    void apiKnowsNoInternals() {
        noClasses()
                .that()
                .resideInAPackage(API)
                .should()
                .dependOnClassesThat(resideInAPackage("io.gregor..").and(resideOutsideOfPackages(API)))
                .check(product);
    }

    @Test
    void internalApiKnowsNoBundle() {
        noClasses()
                .that()
                .resideInAPackage(INTERNAL_API)
                .should()
                .dependOnClassesThat(
                        resideInAPackage("io.gregor..").and(resideOutsideOfPackages(API, INTERNAL_API)))
                .check(product);
    }

    @Test
    void nobodyUsesTheScalaCore() {
        noClasses().should().dependOnClassesThat(resideInAnyPackage("kafka..", "scala..")).check(product);
    }

    @Test
    void onlyTheTwoApiBundlesExportPackagesOfOurs() throws IOException {
        for (String bundle : bundles()) {
            try (JarFile jar = new JarFile(jar(BUNDLES.resolve(bundle)).get(0).toFile())) {
                String exported = jar.getManifest().getMainAttributes().getValue("Export-Package");
                assertThat(exported == null ? "" : exported).as("Export-Package of %s", bundle).doesNotContain("io.gregor");
            }
        }
    }

    private static String packageOf(String bundle) {
        return "io.gregor." + bundle.replace('-', '.');
    }

    private static List<Path> jar(Path folder) {
        Path target = folder.resolve("target");
        if (!Files.isDirectory(target)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(file -> file.getFileName().toString().endsWith(".jar"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
