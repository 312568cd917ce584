package io.gregor.itest.requests.gate;

import io.gregor.api.RequestHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Hashtable;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.management.JMException;
import javax.management.ObjectName;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;

/** The bundle with the gate: it makes its own jar in the test, and starts itself in the node. Immutable. */
public final class GateBundle implements BundleActivator {
    /** The gate in the node. */
    public static final String GATE = "io.gregor.itest:type=Gate";

    /** The bundle's symbolic name. */
    public static final String NAME = "io.gregor.itest.gate";

    private static final int DESCRIBE_CLUSTER = 60;

    /** Packs the classes of this package into a bundle. */
    public static Path jar(Path directory) throws IOException {
        Manifest manifest = new Manifest();
        Attributes headers = manifest.getMainAttributes();
        headers.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        headers.putValue(Constants.BUNDLE_MANIFESTVERSION, "2");
        headers.putValue(Constants.BUNDLE_SYMBOLICNAME, NAME);
        headers.putValue(Constants.BUNDLE_ACTIVATOR, GateBundle.class.getName());
        headers.putValue(
                Constants.IMPORT_PACKAGE,
                "io.gregor.api,javax.management,org.apache.kafka.common.message,org.apache.kafka.common.protocol,"
                        + "org.osgi.framework");
        Path jar = directory.resolve("gate.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(file, manifest)) {
            for (Class<?> type : List.of(Gate.class, GateMBean.class, GateBundle.class)) {
                String name = type.getName().replace('.', '/') + ".class";
                try (InputStream bytes = type.getClassLoader().getResourceAsStream(name)) {
                    entries.putNextEntry(new JarEntry(name));
                    bytes.transferTo(entries);
                    entries.closeEntry();
                }
            }
        }
        return jar;
    }

    @Override
    public void start(BundleContext context) throws JMException {
        Gate gate = new Gate();
        ManagementFactory.getPlatformMBeanServer().registerMBean(gate, new ObjectName(GATE));
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("api.key", DESCRIBE_CLUSTER);
        properties.put("role", "broker");
        properties.put(Constants.SERVICE_RANKING, 100);
        context.registerService(RequestHandler.class, gate, properties);
    }

    @Override
    public void stop(BundleContext context) throws JMException {
        ManagementFactory.getPlatformMBeanServer().unregisterMBean(new ObjectName(GATE));
    }
}
