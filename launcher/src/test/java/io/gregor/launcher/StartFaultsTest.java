package io.gregor.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.osgi.framework.BundleException;

class StartFaultsTest {
    @Test
    void reasonIsTheInnermostCauseOnOneLine() {
        BundleException fault = new BundleException(
                "Activator start error", new RuntimeException("outer", new IllegalStateException("no disk\nleft")));

        assertThat(StartFaults.reason(fault)).isEqualTo("IllegalStateException: no disk left");
    }

    @Test
    void missingPackageIsNamedOnce() {
        BundleException fault = new BundleException(
                "Unable to resolve x: missing requirement (package=a.b) " + "Unresolved requirements: [(package=a.b)]");

        assertThat(StartFaults.reason(fault)).isEqualTo("Unable to resolve x: missing requirement (package=a.b)");
    }
}
