package io.gregor.dispatch.internal;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.osgi.framework.Bundle;
import org.osgi.framework.Version;

/** A bundle that has a number, a name and a state, and nothing else. */
final class FakeBundle {
    private final AtomicInteger state = new AtomicInteger(Bundle.ACTIVE);
    private final Bundle bundle;

    FakeBundle(long id, String symbolicName) {
        this(id, symbolicName, "reference:file:bundles/" + symbolicName + ".jar");
    }

    FakeBundle(long id, String symbolicName, String location) {
        bundle = (Bundle) Proxy.newProxyInstance(
                FakeBundle.class.getClassLoader(),
                new Class<?>[] {Bundle.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getBundleId" -> id;
                    case "getSymbolicName" -> symbolicName;
                    case "getVersion" -> new Version(1, 0, (int) id);
                    case "getLocation" -> location;
                    case "getState" -> state.get();
                    case "hashCode" -> Long.hashCode(id);
                    case "equals" -> proxy == arguments[0];
                    case "toString" -> symbolicName + "#" + id;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    /** A bundle of a plugin. */
    static FakeBundle plugin(long id, String symbolicName) {
        return new FakeBundle(id, symbolicName, "plugin:" + symbolicName + ".jar#" + id);
    }

    Bundle bundle() {
        return bundle;
    }

    long id() {
        return bundle.getBundleId();
    }

    void uninstall() {
        state.set(Bundle.UNINSTALLED);
    }
}
