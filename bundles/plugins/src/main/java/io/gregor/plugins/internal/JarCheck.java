package io.gregor.plugins.internal;

import java.io.IOException;
import java.nio.file.Path;

/** Something that a jar must be before it is used. Called by the deployer thread, one jar after the other. */
public interface JarCheck {
    /**
     * Looks at a jar.
     *
     * @param jar a whole copy of it that nobody else writes to
     * @throws RefusedJar if it is not used
     * @throws IOException if it cannot be read
     */
    void check(Path jar) throws RefusedJar, IOException;
}
