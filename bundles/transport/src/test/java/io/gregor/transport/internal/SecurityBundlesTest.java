package io.gregor.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SecurityBundlesTest {
    /** The number of what does not come from a bundle. */
    private static final long NONE = -1;

    @Test
    void aBundleIsInUseUntilItsLastPartIsClosed() {
        SecurityBundles bundles = new SecurityBundles();

        bundles.opened("layer");
        bundles.opened("authenticator");
        bundles.closed("layer");
        assertThat(bundles.inUse(NONE)).isEqualTo(1);
        bundles.closed("authenticator");
        bundles.closed("authenticator");

        assertThat(bundles.inUse(NONE)).isZero();
        assertThat(bundles.inUse(7)).isZero();
    }
}
