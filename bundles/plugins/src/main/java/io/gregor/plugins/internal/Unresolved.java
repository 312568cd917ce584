package io.gregor.plugins.internal;

import java.util.List;
import java.util.stream.Stream;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.namespace.ExecutionEnvironmentNamespace;
import org.osgi.framework.namespace.PackageNamespace;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRequirement;
import org.osgi.framework.wiring.BundleRevision;

/** Finds out, in an operator's words, why a bundle does not resolve. Immutable. */
final class Unresolved {
    private final BundleContext context;

    Unresolved(BundleContext context) {
        this.context = context;
    }

    /** The first need of a bundle that nobody here meets. */
    RefusedJar reason(Bundle bundle, String fromFramework) {
        BundleRevision revision = bundle.adapt(BundleRevision.class);
        if (revision == null) {
            return new RefusedJar("it does not resolve: " + fromFramework, "build it anew");
        }
        for (BundleRequirement need : revision.getDeclaredRequirements(null)) {
            if (isMandatory(need) && offers(need.getNamespace()).noneMatch(need::matches)) {
                return missing(need);
            }
        }
        return new RefusedJar(
                "it does not resolve: " + fromFramework,
                "its packages cannot be used together: build it against the versions that this node has");
    }

    private static boolean isMandatory(BundleRequirement need) {
        String effective = need.getDirectives().get(Constants.EFFECTIVE_DIRECTIVE);
        return !Constants.RESOLUTION_OPTIONAL.equals(need.getDirectives().get(Constants.RESOLUTION_DIRECTIVE))
                && !"dynamic".equals(need.getDirectives().get(Constants.RESOLUTION_DIRECTIVE))
                && (effective == null || Constants.EFFECTIVE_RESOLVE.equals(effective));
    }

    private Stream<BundleCapability> offers(String namespace) {
        return Stream.of(context.getBundles())
                .map(bundle -> bundle.adapt(BundleRevision.class))
                .filter(revision -> revision != null)
                .flatMap(revision -> revision.getDeclaredCapabilities(namespace).stream());
    }

    private RefusedJar missing(BundleRequirement need) {
        String filter = String.valueOf(need.getDirectives().get(Constants.FILTER_DIRECTIVE));
        return switch (need.getNamespace()) {
            case PackageNamespace.PACKAGE_NAMESPACE -> missingPackage(filter);
            case ExecutionEnvironmentNamespace.EXECUTION_ENVIRONMENT_NAMESPACE ->
                new RefusedJar(
                        "it is built for another Java: needs=" + filter + " here="
                                + Runtime.version().feature(),
                        "build it with --release " + Runtime.version().feature()
                                + " or lower, or run the node on that Java");
            default ->
                new RefusedJar(
                        "it needs what no bundle here offers: namespace=" + need.getNamespace() + " filter=" + filter,
                        "drop the bundle that offers it first, or build without it");
        };
    }

    private RefusedJar missingPackage(String filter) {
        String name = NeededPackage.name(filter);
        List<String> here = offers(PackageNamespace.PACKAGE_NAMESPACE)
                .filter(offer -> name.equals(offer.getAttributes().get(PackageNamespace.PACKAGE_NAMESPACE)))
                .map(offer -> String.valueOf(offer.getAttributes().get(Constants.VERSION_ATTRIBUTE)))
                .distinct()
                .toList();
        return NeededPackage.refuse(filter, here);
    }
}
