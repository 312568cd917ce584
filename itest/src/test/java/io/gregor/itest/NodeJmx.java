package io.gregor.itest;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A look into a node's process from outside: its threads, its heap, its MBeans. Owned by the test thread. */
public final class NodeJmx implements AutoCloseable {
    private final JMXConnector connector;
    private final MBeanServerConnection beans;

    private NodeJmx(JMXConnector connector) throws IOException {
        this.connector = connector;
        this.beans = connector.getMBeanServerConnection();
    }

    /** Looks into the process that runs now; after a restart it takes another one. */
    public static NodeJmx attach(GregorProcess node) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(String.valueOf(node.pid()));
            String address = machine.startLocalManagementAgent();
            machine.detach();
            return new NodeJmx(JMXConnectorFactory.connect(new JMXServiceURL(address)));
        } catch (AttachNotSupportedException unexpected) {
            throw new IOException("pid=" + node.pid(), unexpected);
        }
    }

    /** The names of the living threads that begin so, in order. */
    public List<String> threads(String beginning) {
        try {
            ThreadMXBean threads = ManagementFactory.newPlatformMXBeanProxy(
                    beans, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
            return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                    .filter(Objects::nonNull)
                    .map(ThreadInfo::getThreadName)
                    .filter(name -> name.startsWith(beginning))
                    .sorted()
                    .toList();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** Bytes of the heap that are in use after a collection. */
    public long heapAfterCollection() throws IOException {
        MemoryMXBean memory = ManagementFactory.newPlatformMXBeanProxy(
                beans, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    /** The MBeans that fit the pattern, by their canonical names, in order. */
    public Set<String> names(String pattern) throws IOException, JMException {
        return beans.queryNames(new ObjectName(pattern), null).stream()
                .map(ObjectName::getCanonicalName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The values of a key of the MBeans that fit the pattern, each once, in order. */
    public Set<String> values(String pattern, String key) throws IOException, JMException {
        return beans.queryNames(new ObjectName(pattern), null).stream()
                .map(name -> name.getKeyProperty(key))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** {@code name:type} of each attribute of an MBean, in order. */
    public List<String> attributes(String name) throws IOException, JMException {
        return Arrays.stream(beans.getMBeanInfo(new ObjectName(name)).getAttributes())
                .map((MBeanAttributeInfo attribute) -> attribute.getName() + ":" + attribute.getType())
                .sorted()
                .toList();
    }

    /** All that the MBeans say which fit the pattern, one attribute a line; one that cannot be read is left out. */
    public String everything(String pattern) throws IOException, JMException {
        StringBuilder all = new StringBuilder();
        for (ObjectName name : beans.queryNames(new ObjectName(pattern), null)) {
            all.append(name.getCanonicalName()).append('\n');
            for (MBeanAttributeInfo attribute : beans.getMBeanInfo(name).getAttributes()) {
                try {
                    Object value = beans.getAttribute(name, attribute.getName());
                    all.append(attribute.getName())
                            .append('=')
                            .append(value instanceof Object[] several ? Arrays.deepToString(several) : value)
                            .append('\n');
                } catch (JMException | RuntimeException unreadable) {
                    all.append(attribute.getName()).append(" cannot be read\n");
                }
            }
        }
        return all.toString();
    }

    /** A number that an MBean tells. */
    public double number(String name, String attribute) throws IOException, JMException {
        return ((Number) beans.getAttribute(new ObjectName(name), attribute)).doubleValue();
    }

    /** Calls an operation without arguments. */
    public void call(String name, String operation) throws IOException, JMException {
        beans.invoke(new ObjectName(name), operation, new Object[0], new String[0]);
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
