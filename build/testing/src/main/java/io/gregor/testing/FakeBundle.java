package io.gregor.testing;

import java.util.concurrent.atomic.AtomicInteger;
import org.osgi.framework.Bundle;
import org.osgi.framework.Version;

/** A bundle that has a number, a name and a state, and nothing else. Shared: any thread; see {@code uninstall}. */
public final class FakeBundle {
    private final AtomicInteger state = new AtomicInteger(Bundle.ACTIVE);
    private final Bundle bundle;

    /** A bundle of the distribution. */
    public FakeBundle(long id, String symbolicName) {
        this(id, symbolicName, "reference:file:bundles/" + symbolicName + ".jar");
    }

    private FakeBundle(long id, String symbolicName, String location) {
        bundle = Fake.of(Bundle.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "getBundleId" -> id;
            case "getSymbolicName" -> symbolicName;
            case "getVersion" -> new Version(1, 0, (int) id);
            case "getLocation" -> location;
            case "getState" -> state.get();
            case "hashCode" -> Long.hashCode(id);
            case "equals" -> proxy == arguments[0];
            case "toString" -> symbolicName + "#" + id;
            default -> throw Fake.unexpected(method.getName());
        });
    }

    /** A bundle of a plugin. */
    public static FakeBundle plugin(long id, String symbolicName) {
        return new FakeBundle(id, symbolicName, "plugin:" + symbolicName + ".jar#" + id);
    }

    /** What the framework would give. */
    public Bundle bundle() {
        return bundle;
    }

    /** Its number. */
    public long id() {
        return bundle.getBundleId();
    }

    /** From now on it is uninstalled. */
    public void uninstall() {
        state.set(Bundle.UNINSTALLED);
    }
}
