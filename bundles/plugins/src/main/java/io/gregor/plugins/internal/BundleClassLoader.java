package io.gregor.plugins.internal;

import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;

/**
 * Finds classes and resources in Kafka's libraries first, then in bundles, the first of them first. It asks for the bundles
 * at each call. Shared: any thread.
 */
public final class BundleClassLoader extends ClassLoader {
    private final Supplier<List<Bundle>> bundles;

    /** Over the bundles that there are at each call. */
    public BundleClassLoader(Supplier<List<Bundle>> bundles) {
        super(Utils.class.getClassLoader());
        this.bundles = bundles;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        for (Bundle bundle : bundles.get()) {
            try {
                return bundle.loadClass(name);
            } catch (ClassNotFoundException | IllegalStateException notThere) {
                // the next one may have it; a bundle may go at any time
            }
        }
        throw new ClassNotFoundException(name);
    }

    @Override
    protected @Nullable URL findResource(String name) {
        for (Bundle bundle : bundles.get()) {
            try {
                URL found = bundle.getResource(name);
                if (found != null) {
                    return found;
                }
            } catch (IllegalStateException gone) {
                // the next one may have it
            }
        }
        return null;
    }

    @Override
    protected Enumeration<URL> findResources(String name) throws IOException {
        List<URL> found = new ArrayList<>();
        for (Bundle bundle : bundles.get()) {
            try {
                Enumeration<URL> there = bundle.getResources(name);
                if (there != null) {
                    found.addAll(Collections.list(there));
                }
            } catch (IllegalStateException gone) {
                // the others may have it
            }
        }
        return Collections.enumeration(found);
    }
}
