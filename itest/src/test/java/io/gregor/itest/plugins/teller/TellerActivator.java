package io.gregor.itest.plugins.teller;

import io.gregor.api.Request;
import io.gregor.api.RequestHandler;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Hashtable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Offers an API that answers with the version of its bundle. Immutable. */
public final class TellerActivator implements BundleActivator {
    /** Its API key. */
    public static final short KEY = 10_001;

    @Override
    public void start(BundleContext context) {
        String version = context.getBundle().getVersion().toString();
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("api.key", (int) KEY);
        properties.put("role", new String[] {"broker", "controller"});
        properties.put("api.min.version", 0);
        properties.put("api.max.version", 0);
        context.registerService(RequestHandler.class, new Teller(version), properties);
    }

    @Override
    public void stop(BundleContext context) {
        // the framework takes the service back
    }

    /** Answers with a text. Immutable. */
    public static final class Teller implements RequestHandler {
        private final byte[] text;

        Teller(String text) {
            this.text = text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void handle(Request request) {
            request.respondBytes(ByteBuffer.wrap(text));
        }
    }
}
