package io.gregor.plugins.internal;

/** Something to do when other bundles count than before. A service; called on the deployer thread, after the switch. */
public interface AfterSwitch {
    /** Bundles have come, gone, or taken the place of others. */
    void switched();
}
