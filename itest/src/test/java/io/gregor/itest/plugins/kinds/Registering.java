package io.gregor.itest.plugins.kinds;

import java.util.HashMap;
import java.util.Map;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;

/**
 * Registers an object of the class in the header {@code Test-Class} as a service of the interface in {@code Test-Interface},
 * with the property in {@code Test-Property}, if there is one.
 */
public final class Registering implements BundleActivator {
    @Override
    public void start(BundleContext context) throws Exception {
        String type = header(context, "Test-Interface");
        Object service = context.getBundle()
                .loadClass(header(context, "Test-Class"))
                .getDeclaredConstructor()
                .newInstance();
        Map<String, Object> properties = new HashMap<>();
        String property = header(context, "Test-Property");
        if (property != null) {
            properties.put(property.split("=")[0], property.split("=")[1]);
        }
        context.registerService(type, service, FrameworkUtil.asDictionary(properties));
    }

    private static String header(BundleContext context, String name) {
        return context.getBundle().getHeaders().get(name);
    }

    @Override
    public void stop(BundleContext context) {}
}
