package io.gregor.dispatch.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.gregor.internal.node.Role;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The MBeans {@code io.gregor:type=Bundle} of one role: of each plugin whose handlers or filters it uses, under its symbolic
 * name, for as long as it does. Shared: any thread; MBeans are registered on a handler thread, since few must wait for that.
 */
final class BundleBeans {
    private final Role role;
    private final Beans beans;
    private final RoleBundles bundles;
    private final Consumer<Runnable> elsewhere;

    @GuardedBy("this")
    private Set<String> shown = Set.of();

    private volatile Set<String> wanted = Set.of();

    /**
     * @param elsewhere runs work on a thread that may block
     */
    BundleBeans(Role role, Beans beans, RoleBundles bundles, Consumer<Runnable> elsewhere) {
        this.role = role;
        this.beans = beans;
        this.bundles = bundles;
        this.elsewhere = elsewhere;
    }

    /** Looks which there should be, as handlers or filters have come or gone. */
    void follow() {
        if (!wanted.equals(bundles.pluginNames())) {
            elsewhere.accept(this::show);
        }
    }

    private synchronized void show() {
        Set<String> names = bundles.pluginNames();
        wanted = names;
        for (String gone : shown) {
            if (!names.contains(gone)) {
                beans.remove(name(gone));
            }
        }
        for (String come : names) {
            if (!shown.contains(come)) {
                beans.add(name(come), new BundleBean(bundles, come));
            }
        }
        shown = names;
    }

    private String name(String symbolicName) {
        return "io.gregor:type=Bundle,name=" + symbolicName + ",role=" + role.property();
    }
}
