package io.gregor.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
    private static final List<String> API_BUNDLES = List.of("api", "internal-api");
    private static final Path BUNDLES = Path.of("..", "..", "bundles");
    private static JavaClasses product;

    @BeforeAll
    static void readTheProduct() throws IOException {
        List<JarFile> jars = new ArrayList<>();
        for (String bundle : bundles()) {
            jars.add(new JarFile(jar(BUNDLES.resolve(bundle)).toFile()));
        }
        for (String bundle : API_BUNDLES) {
            jars.add(new JarFile(jar(BUNDLES.resolve(bundle)).toFile()));
        }
        product = new ClassFileImporter().importJars(jars);
    }

    static List<String> bundles() throws IOException {
        try (Stream<Path> folders = Files.list(BUNDLES)) {
            return folders.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .map(folder -> folder.getFileName().toString())
                    .filter(name -> !name.equals("engine") && !API_BUNDLES.contains(name))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("bundles")
    void bundleImportsNoOtherBundleOfOurs(String bundle) {
        String own = packageOf(bundle) + "..";

        assertThat(product.that(resideInAPackage(own)))
                .as("classes of %s", bundle)
                .isNotEmpty();
        noClasses()
                .that()
                .resideInAPackage(own)
                .should()
                .dependOnClassesThat(
                        resideInAPackage("io.gregor..").and(resideOutsideOfPackages(own, API, INTERNAL_API)))
                .check(product);
    }

    static List<String> examples() throws IOException {
        return bundles().stream().filter(name -> name.startsWith("example-")).toList();
    }

    /** They show what a stranger can do, and so have no more than a stranger has. */
    @ParameterizedTest
    @MethodSource("examples")
    void examplesKnowNoInternals(String bundle) {
        noClasses()
                .that()
                .resideInAPackage(packageOf(bundle) + "..")
                .should()
                .dependOnClassesThat(resideInAPackage(INTERNAL_API))
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
                .dependOnClassesThat(resideInAPackage("io.gregor..").and(resideOutsideOfPackages(API, INTERNAL_API)))
                .check(product);
    }

    @Test
    void nobodyUsesTheScalaCore() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAnyPackage("kafka..", "scala.."))
                .check(product);
    }

    @Test
    void onlyTheTwoApiBundlesExportPackagesOfOurs() throws IOException {
        for (String bundle : bundles()) {
            try (JarFile jar = new JarFile(jar(BUNDLES.resolve(bundle)).toFile())) {
                String exported = jar.getManifest().getMainAttributes().getValue("Export-Package");
                assertThat(exported == null ? "" : exported)
                        .as("Export-Package of %s", bundle)
                        .doesNotContain("io.gregor");
            }
        }
    }

    private static String packageOf(String bundle) {
        return "io.gregor." + bundle.replace('-', '.');
    }

    private static Path jar(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("target"))) {
            return files.filter(file -> file.getFileName().toString().endsWith(".jar"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
