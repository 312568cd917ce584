package io.gregor.plugins.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.runtime.ServiceComponentRuntime;
import org.osgi.service.component.runtime.dto.ComponentConfigurationDTO;
import org.osgi.service.component.runtime.dto.ComponentDescriptionDTO;
import org.osgi.service.component.runtime.dto.UnsatisfiedReferenceDTO;

/** Looks at the components of a started bundle: are all there, and if not, why. Owned by the deployer thread. */
final class Components {
    private static final String LOG_HAS_MORE =
            "mend the bundle and drop it again; the logger of the component's class has the stack trace at DEBUG";

    /** Parameters of constructors have numbers instead of names. */
    private static final String OF_CONSTRUCTOR = "$";

    private final ServiceComponentRuntime runtime;
    private final HeldServices held;

    Components(ServiceComponentRuntime runtime, HeldServices held) {
        this.runtime = runtime;
        this.held = held;
    }

    /**
     * Gets the bundle's services, and looks whether all its components are satisfied.
     *
     * @param former the bundle whose place it takes: what is not satisfied in that one either is not asked for
     */
    Look look(Bundle bundle, @Nullable Bundle former) {
        if (bundle.getState() != Bundle.ACTIVE) {
            return Look.failed("the bundle has stopped by itself", "see the log for what stopped it");
        }
        ServiceReference<?> withoutObject;
        try {
            withoutObject = held.hold(bundle).orElse(null);
        } catch (PluginCalls.Stuck stuck) {
            return Look.failed(stuck.reason(), PluginCalls.Stuck.ADVICE);
        }
        Set<String> excused = former == null ? Set.of() : unsatisfied(former);
        Look worst = Look.READY;
        for (ComponentDescriptionDTO component : enabled(bundle)) {
            Look look = look(component, excused);
            if (look.kind() == Look.Kind.FAILED) {
                return look;
            }
            worst = look.kind() == Look.Kind.READY ? worst : look;
        }
        if (withoutObject != null && withoutObject.getBundle() != null) {
            return Look.failed("service has no object: service=" + withoutObject, LOG_HAS_MORE);
        }
        return worst;
    }

    /** The components that are enabled and wait, by name. */
    private Set<String> unsatisfied(Bundle bundle) {
        Set<String> names = new TreeSet<>();
        for (ComponentDescriptionDTO component : enabled(bundle)) {
            if (look(component, Set.of()).kind() != Look.Kind.READY) {
                names.add(component.name);
            }
        }
        return names;
    }

    /** The components of a bundle that are enabled. */
    List<ComponentDescriptionDTO> enabled(Bundle bundle) {
        return runtime.getComponentDescriptionDTOs(bundle).stream()
                .filter(runtime::isComponentEnabled)
                .toList();
    }

    private Look look(ComponentDescriptionDTO component, Set<String> excused) {
        List<Look> waiting = new ArrayList<>();
        for (ComponentConfigurationDTO one : runtime.getComponentConfigurationDTOs(component)) {
            switch (one.state) {
                case ComponentConfigurationDTO.SATISFIED, ComponentConfigurationDTO.ACTIVE -> {}
                case ComponentConfigurationDTO.FAILED_ACTIVATION -> {
                    return Look.failed(
                            "component=" + component.name + " cannot be activated: "
                                    + ActivationFault.line(Objects.requireNonNullElse(one.failure, "")),
                            LOG_HAS_MORE);
                }
                case ComponentConfigurationDTO.UNSATISFIED_REFERENCE -> waiting.add(references(component, one));
                default ->
                    waiting.add(Look.waiting(
                            "component=" + component.name + " waits for its configuration",
                            "give it a configurationPolicy that needs none: read NodeConfig or a file instead"));
            }
        }
        return waiting.isEmpty() || excused.contains(component.name) ? Look.READY : waiting.get(0);
    }

    private static Look references(ComponentDescriptionDTO component, ComponentConfigurationDTO one) {
        StringBuilder text = new StringBuilder("component=" + component.name + " waits for");
        for (UnsatisfiedReferenceDTO missing : one.unsatisfiedReferences) {
            if (!missing.name.startsWith(OF_CONSTRUCTOR)) {
                text.append(" reference=").append(missing.name);
            }
            text.append(service(component, missing));
        }
        return Look.waiting(text.toString(), "drop a bundle that offers it, or make the reference optional");
    }

    private static String service(ComponentDescriptionDTO component, UnsatisfiedReferenceDTO missing) {
        for (var reference : component.references) {
            if (reference.name.equals(missing.name)) {
                String target = missing.target == null ? "" : " target=" + missing.target;
                return " service=" + reference.interfaceName + target;
            }
        }
        return "";
    }
}
