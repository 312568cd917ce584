package io.gregor.shell;

import java.util.Arrays;
import java.util.Comparator;
import org.apache.felix.service.command.Converter;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/**
 * Lets commands of the framework take a bundle by its number or its symbolic name; of several versions the newest.
 * Immutable.
 */
@Component(property = Converter.CONVERTER_CLASSES + "=org.osgi.framework.Bundle")
public final class BundleConverter implements Converter {
    private final BundleContext context;

    /** Made by the service registry. */
    @Activate
    public BundleConverter(BundleContext context) {
        this.context = context;
    }

    @Override
    public @Nullable Object convert(Class<?> wanted, Object typed) {
        if (wanted != Bundle.class || !(typed instanceof CharSequence || typed instanceof Number)) {
            return null;
        }
        String name = typed.toString();
        return Arrays.stream(context.getBundles())
                .filter(bundle ->
                        name.equals(String.valueOf(bundle.getBundleId())) || name.equals(bundle.getSymbolicName()))
                .max(Comparator.comparing(Bundle::getVersion))
                .orElseThrow(() -> new IllegalArgumentException(
                        "no bundle with number or name=" + name + ", felix:lb -s lists them"));
    }

    @Override
    public @Nullable CharSequence format(Object target, int level, Converter others) {
        return null;
    }
}
