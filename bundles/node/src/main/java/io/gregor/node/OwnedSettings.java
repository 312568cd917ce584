package io.gregor.node;

import io.gregor.api.NodeSettings;
import io.gregor.internal.change.LiveConfig;
import io.gregor.internal.change.LiveSettings;
import io.gregor.node.internal.PluginPart;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ServiceScope;

/**
 * Lets one bundle own settings: each owner becomes a part of the node that can be changed, as the node's own parts are. What
 * the bundle forgets to give up is given up when it lets the service go. Shared: any thread.
 */
@Component(scope = ServiceScope.BUNDLE)
public final class OwnedSettings implements NodeSettings {
    private final BundleContext context;
    private final LiveConfig live;
    private final Set<Registered> open = ConcurrentHashMap.newKeySet();

    /** Nothing is owned yet. */
    @Activate
    public OwnedSettings(BundleContext context, @Reference LiveConfig live) {
        this.context = context;
        this.live = live;
    }

    @Deactivate
    void stop() {
        open.forEach(Registered::close);
    }

    @Override
    public Owned own(String prefix, SettingsOwner owner) {
        PluginPart part = PluginPart.begin(prefix, owner, live.current());
        Registered registered = new Registered(context.registerService(LiveSettings.class, part, null));
        open.add(registered);
        return registered;
    }

    private final class Registered implements Owned {
        private final ServiceRegistration<LiveSettings> registration;

        Registered(ServiceRegistration<LiveSettings> registration) {
            this.registration = registration;
        }

        @Override
        public void close() {
            if (open.remove(this)) {
                registration.unregister();
            }
        }
    }
}
