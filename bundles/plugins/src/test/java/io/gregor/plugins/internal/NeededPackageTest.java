package io.gregor.plugins.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NeededPackageTest {
    private static final String RANGE = "(&(osgi.wiring.package=io.gregor.api)(version>=2.0.0)(!(version>=3.0.0)))";

    @Test
    void wrongVersionNamesBoth() {
        assertThat(NeededPackage.refuse(RANGE, List.of("1.0.0")).line())
                .isEqualTo("wrong version: it is built for io.gregor.api [2.0.0,3.0.0), this node has 1.0.0;"
                        + " build it against io.gregor.api 1.0.0");
    }

    @Test
    void missingPackageNamesIt() {
        RefusedJar why = NeededPackage.refuse("(osgi.wiring.package=com.example.a)", List.of());

        assertThat(why.reason()).isEqualTo("package missing: it needs com.example.a, which no bundle here exports");
        assertThat(why.missingPackage()).isEqualTo("com.example.a");
    }

    @Test
    void versionsAreReadFromTheFilter() {
        assertThat(NeededPackage.versions(RANGE)).isEqualTo("[2.0.0,3.0.0)");
        assertThat(NeededPackage.versions("(&(osgi.wiring.package=a)(version>=1.4.0))"))
                .isEqualTo("1.4.0 or higher");
        assertThat(NeededPackage.versions("(osgi.wiring.package=a)")).isEqualTo("0 or higher");
    }
}
