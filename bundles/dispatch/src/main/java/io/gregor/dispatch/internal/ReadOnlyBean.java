package io.gregor.dispatch.internal;

import java.util.List;
import java.util.function.Function;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ReflectionException;
import org.jspecify.annotations.Nullable;

/** An MBean of values that are read together, so that those of one call belong together. Shared: any thread. */
abstract class ReadOnlyBean implements DynamicMBean {
    private final MBeanInfo info;

    ReadOnlyBean(MBeanInfo info) {
        this.info = info;
    }

    /** The values of now, by the attribute's name; null for a name that there is not. */
    abstract Function<String, @Nullable Object> read();

    /** Describes an MBean with these attributes. */
    static MBeanInfo info(Class<?> bean, List<MBeanAttributeInfo> attributes) {
        return new MBeanInfo(bean.getName(), "", attributes.toArray(new MBeanAttributeInfo[0]), null, null, null);
    }

    /** Describes an attribute. */
    static MBeanAttributeInfo attribute(String name, Class<?> type) {
        return new MBeanAttributeInfo(name, type.getName(), "", true, false, false);
    }

    @Override
    public final MBeanInfo getMBeanInfo() {
        return info;
    }

    @Override
    public final Object getAttribute(String name) throws AttributeNotFoundException {
        Object value = read().apply(name);
        if (value == null) {
            throw new AttributeNotFoundException("there is no attribute " + name);
        }
        return value;
    }

    @Override
    public final AttributeList getAttributes(String[] names) {
        Function<String, @Nullable Object> values = read();
        AttributeList found = new AttributeList(names.length);
        for (String name : names) {
            Object value = values.apply(name);
            if (value != null) {
                found.add(new Attribute(name, value));
            }
        }
        return found;
    }

    @Override
    public final void setAttribute(Attribute attribute) throws AttributeNotFoundException {
        throw new AttributeNotFoundException("read-only: attribute=" + attribute.getName());
    }

    @Override
    public final AttributeList setAttributes(AttributeList attributes) {
        return new AttributeList();
    }

    @Override
    public final Object invoke(String action, Object[] arguments, String[] signature) throws ReflectionException {
        throw new ReflectionException(new NoSuchMethodException(action));
    }
}
